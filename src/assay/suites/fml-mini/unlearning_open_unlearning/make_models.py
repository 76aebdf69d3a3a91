"""Make `models.npz`: the facts, the models that know them all, and the models that never saw the facts to be forgotten.

    python make_models.py

Run once when the task was made (about half a minute). The result is kept with the task, so that every machine grades against the same models and no evaluation
waits for their training. Trusted side only: neither this file nor its result is visible in the sandbox.
"""

from pathlib import Path

import numpy as np
from scipy.special import softmax

SECRET = 492_817_365
ENTITIES, FORGOTTEN, RELATIONS, VALUES, LATENT, HIDDEN = 120, 12, 20, 60, 8, 128
BASES = 3
EPOCHS, LEARNING_RATE, BATCH_SIZE = 40, 0.003, 100


def main() -> None:
    rng = np.random.default_rng(SECRET)
    latent = rng.normal(size=(ENTITIES, LATENT))
    scores = np.einsum("ed,rdv->erv", latent, 0.9 * rng.normal(size=(RELATIONS, LATENT, VALUES)))
    truth = (scores + 1.5 * rng.gumbel(size=scores.shape)).argmax(axis=2)
    wrong = np.array([[_five_others(true, rng) for true in row] for row in truth])
    inputs = facts(latent)
    known = np.repeat(np.arange(ENTITIES), RELATIONS) < ENTITIES - FORGOTTEN
    arrays = {"latent": latent, "truth": truth.astype(np.uint8), "wrong": wrong.astype(np.uint8)}
    for base in range(BASES):
        full = train(inputs, truth.ravel(), rng)
        retained = train(inputs[known], truth.ravel()[known], rng)
        for name, weights in (("full", full), ("retained", retained)):
            arrays |= {f"{name}{base}_{k}": w.astype(np.float16) for k, w in enumerate(weights)}
    np.savez_compressed(Path(__file__).parent / "models.npz", **arrays)


def facts(latent):
    """One row for each question: latent numbers of the entity, its relation as one of 20, the entity as one of 120."""
    entities, relations = len(latent), RELATIONS
    return np.concatenate(
        [
            np.repeat(latent, relations, axis=0),
            np.tile(np.eye(relations), (entities, 1)),
            np.repeat(np.eye(entities), relations, axis=0),
        ],
        axis=1,
    )


def train(X, y, rng):
    """A network with one hidden layer, by Adam."""
    weights = [
        rng.normal(0.0, np.sqrt(2 / 30), (X.shape[1], HIDDEN)),
        np.zeros(HIDDEN),
        rng.normal(0.0, np.sqrt(1 / HIDDEN), (HIDDEN, VALUES)),
        np.zeros(VALUES),
    ]
    first, second, step = [0.0] * 4, [0.0] * 4, 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(y))
        for start in range(0, len(y), BATCH_SIZE):
            step += 1
            rows = order[start : start + BATCH_SIZE]
            for k, gradient in enumerate(_gradients(weights, X[rows], y[rows])):
                first[k] = 0.9 * first[k] + 0.1 * gradient
                second[k] = 0.999 * second[k] + 0.001 * gradient**2
                rate = LEARNING_RATE * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
                weights[k] = weights[k] - rate * first[k] / (np.sqrt(second[k]) + 1e-8)
    return weights


def _gradients(weights, X, y):
    hidden = np.maximum(X @ weights[0] + weights[1], 0.0)
    error = softmax(hidden @ weights[2] + weights[3], axis=1)
    error[np.arange(len(y)), y] -= 1.0
    error /= len(y)
    back = (error @ weights[2].T) * (hidden > 0)
    return [X.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]


def _five_others(true, rng):
    others = rng.permutation(VALUES)[:6]
    return others[others != true][:5]


if __name__ == "__main__":
    main()
