"""Trusted side of decode-speed: times the candidate beside the starter, from outside, and decodes by itself."""

from functools import lru_cache

import numpy as np

from assay.tasks.expect import labels
from assay.tasks.grader import Grade
from assay.tasks.timing import beside_starter, speed

SECRET = {"val": 61_502_947, "test": 29_873_311}

ROUNDS, REQUESTS = 5, 2
VOCABULARY, WIDTH, HEADS, LAYERS = 256, 128, 4, 2
PROMPTS, LENGTH, NEW_TOKENS = 4, 20, 8
CLEAR = 1e-3
"""The best token leads the second by at least this much at every step, so that rounding decides nothing."""


def conduct(perform, split, seed):
    """Rounds on fresh requests, in which the candidate and the starter do the same work."""
    rounds = [beside_starter(perform, _draw(split, seed, number)[0]) for number in range(ROUNDS)]
    answers = [[done.answers.get(f"tokens{request}") for request in range(REQUESTS)] for done in rounds]
    return {"answers": answers, "ratios": [done.ratio for done in rounds]}


def grade(outputs, split, seed):
    right = []
    for number in range(ROUNDS):
        _, truth = _draw(split, seed, number)
        for request, tokens in enumerate(outputs["answers"][number]):
            flat = tokens.ravel() if isinstance(tokens, np.ndarray) and tokens.shape == truth[request].shape else tokens
            answer = labels({"tokens": flat}, "tokens", truth[request].size, VOCABULARY)
            right.append(answer == truth[request].ravel())
    metrics, stderrs = speed(outputs["ratios"])
    return Grade({**metrics, "correct_share": float(np.mean(right))}, stderrs)


@lru_cache(maxsize=2 * ROUNDS)
def _draw(split, seed, number):
    """The requests of one round, and the tokens that answer them, which stay here."""
    rng = np.random.default_rng([SECRET[split], seed, number])
    inputs = {"requests": REQUESTS, "heads": HEADS, "new_tokens": NEW_TOKENS}
    truth = []
    while len(truth) < REQUESTS:
        prompts, weights = rng.integers(VOCABULARY, size=(PROMPTS, LENGTH)), _weights(rng)
        tokens, lead = _decoded(prompts, weights)
        if lead >= CLEAR:
            inputs |= {f"{name}{len(truth)}": array for name, array in {"prompts": prompts, **weights}.items()}
            truth.append(tokens)
    return inputs, truth


def _weights(rng):
    def matrices(rows, columns):
        return rng.normal(0, rows**-0.5, (LAYERS, rows, columns))

    square = {name: matrices(WIDTH, WIDTH) for name in ("query", "key", "value", "output")}
    return {
        "embedding": rng.normal(0, 1.0, (VOCABULARY, WIDTH)),
        "position": rng.normal(0, 0.5, (LENGTH + NEW_TOKENS, WIDTH)),
        "readout": rng.normal(0, WIDTH**-0.5, (WIDTH, VOCABULARY)),
        **square,
        "up": matrices(WIDTH, 4 * WIDTH),
        "down": matrices(4 * WIDTH, WIDTH),
    }


def _decoded(prompts, weights):
    """The new tokens of every prompt, and the smallest lead of a chosen token over the second best."""
    tokens, lead = prompts, np.inf
    for _ in range(NEW_TOKENS):
        scores = _scores(tokens, weights)
        first, second = np.sort(scores, axis=1)[:, :-3:-1].T
        lead = min(lead, (first - second).min())
        tokens = np.hstack([tokens, scores.argmax(axis=1)[:, None]])
    return tokens[:, LENGTH:], lead


def _scores(tokens, weights):
    """Of the next token of every prompt, everything computed anew."""
    length = tokens.shape[1]
    later = np.triu(np.full((length, length), -np.inf), 1)
    x = weights["embedding"][tokens] + weights["position"][:length]
    for layer in range(LAYERS):
        y = _normalised(x)
        query, key, value = (
            np.stack(np.split(y @ weights[name][layer], HEADS, axis=2), axis=1) for name in ("query", "key", "value")
        )
        likeness = np.einsum("phqd,phkd->phqk", query, key) / np.sqrt(WIDTH // HEADS) + later
        shares = np.exp(likeness - likeness.max(axis=3, keepdims=True))
        shares /= shares.sum(axis=3, keepdims=True)
        mixed = np.concatenate(list((shares @ value).swapaxes(0, 1)), axis=2)
        x = x + mixed @ weights["output"][layer]
        x = x + np.maximum(_normalised(x) @ weights["up"][layer], 0.0) @ weights["down"][layer]
    return _normalised(x[:, -1]) @ weights["readout"]


def _normalised(x):
    centred = x - x.mean(axis=-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + 1e-5)
