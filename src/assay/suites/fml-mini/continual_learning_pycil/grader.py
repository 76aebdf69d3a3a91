"""Trusted side: a stream of classes. It holds the exemplar memory and the learner's state between processes."""

import numpy as np

from assay.tasks.expect import labels
from assay.tasks.grader import Grade, InvalidOutput, Tampering

POPULATION_SECRET = 771043
TRAINING_SECRET = 386591
SECRET = {"val": 158849, "test": 940127}
REPETITIONS = 3
CLASSES, LATENT, FEATURES = 100, 32, 64
STAGES = [50, 60, 70, 80, 90, 100]
"""How many classes have been seen at the end of each stage."""
TRAIN_ROWS, EVAL_ROWS = 30, 15
MEMORY = 200
STATE = 32_000
ARRAYS = 16


def conduct(perform, split, seed):
    """Two processes a stage: one learns, one predicts. Only the memory and the state go from one to the next."""
    X_eval, y_eval = _evaluation(split)
    outputs = {}
    for repetition in range(REPETITIONS):
        X, y = _training(seed, repetition)
        state, memory_X, memory_y = {}, np.zeros((0, FEATURES)), np.zeros(0, np.int64)
        for stage, seen in enumerate(STAGES):
            new = (y < seen) & (y >= (STAGES[stage - 1] if stage else 0))
            carried = {**state, "memory_X": memory_X, "memory_y": memory_y}
            number = (seed * REPETITIONS + repetition) * len(STAGES) + stage
            learned = perform({**carried, "task": "learn", "X": X[new], "y": y[new], "seed": number})
            pool_X, pool_y = np.concatenate([memory_X, X[new]]), np.concatenate([memory_y, y[new]])
            keep = _kept(learned.get("keep"), len(pool_y))
            memory_X, memory_y, state = pool_X[keep], pool_y[keep], _state(learned)
            carried = {**state, "memory_X": memory_X, "memory_y": memory_y, "task": "predict"}
            rows = X_eval[y_eval < seen]
            answers = labels(perform({**carried, "X": rows}), "labels", len(rows), CLASSES)
            outputs[repetition, stage] = answers
        _check_independence(perform, carried, rows, answers, [SECRET[split], seed, repetition])
    return outputs


def grade(outputs, split, seed):
    _, y_eval = _evaluation(split)
    accuracy = np.array(
        [
            [np.mean(outputs[r, stage] == y_eval[y_eval < seen]) for stage, seen in enumerate(STAGES)]
            for r in range(REPETITIONS)
        ]
    )
    averages = accuracy.mean(axis=1)
    metrics = {"avg_incremental_acc_mean": float(averages.mean()), "last_acc_mean": float(accuracy[:, -1].mean())}
    return Grade(metrics, {"avg_incremental_acc_mean": float(averages.std(ddof=1) / np.sqrt(REPETITIONS))})


def _kept(keep, size):
    if not isinstance(keep, np.ndarray) or keep.ndim != 1 or (keep.size and keep.dtype.kind not in "iu"):
        raise InvalidOutput("learn must return, beside the state, a vector of row numbers to keep")
    if len(keep) > MEMORY:
        raise Tampering(f"learn wants to keep {len(keep)} rows; the memory holds {MEMORY}")
    if keep.size and (keep.min() < 0 or keep.max() >= size or len(np.unique(keep)) < len(keep)):
        raise InvalidOutput(f"row numbers to keep must be different numbers from 0 to {size - 1}")
    return keep.astype(np.int64)


def _state(outputs):
    """The arrays a learner carries on, as 32-bit numbers."""
    carried = {name: value for name, value in outputs.items() if name != "keep"}
    if len(carried) > ARRAYS:
        raise Tampering(f"the state has {len(carried)} arrays; at most {ARRAYS} are allowed")
    state = {}
    for name, value in carried.items():
        if not isinstance(value, np.ndarray) or not name.startswith("state_") or len(name) > 40:
            raise InvalidOutput("the state must be a dict of short names and arrays")
        state[name] = value.astype(np.float32 if value.dtype.kind == "f" else np.int32)
        if not np.isfinite(state[name]).all():
            raise InvalidOutput(f"the state's array '{name[6:]}' is not finite")
    size = sum(value.size for value in state.values())
    if size > STATE:
        raise Tampering(f"the state has {size} numbers; at most {STATE} are carried from stage to stage")
    return state


def _check_independence(perform, carried, rows, answers, secret):
    """A tenth of the rows, in another order and without the rest, must get the same labels again."""
    again = np.random.default_rng(secret).permutation(len(rows))[: len(rows) // 10]
    repeated = labels(perform({**carried, "X": rows[again]}), "labels", len(again), CLASSES)
    # one row in a hundred may sit on a border that another order of additions moves
    if np.mean(repeated != answers[again]) > 0.01:
        raise Tampering("predictions depend on which other rows are asked for")


def _world():
    rng = np.random.default_rng(POPULATION_SECRET)
    means = 0.9 * rng.normal(size=(CLASSES, LATENT))
    spread = np.exp(0.5 * rng.normal(size=LATENT))
    inner = rng.normal(size=(LATENT, FEATURES)) / np.sqrt(LATENT)
    outer = rng.normal(size=(FEATURES, FEATURES)) / np.sqrt(FEATURES)
    return means, spread, inner, outer


def _sample(rng, rows):
    """`rows` of every class in random order, and their labels."""
    means, spread, inner, outer = _world()
    labels = rng.permutation(np.repeat(np.arange(CLASSES), rows))
    latent = means[labels] + rng.normal(size=(len(labels), LATENT)) * spread
    return np.tanh(1.2 * np.tanh(1.2 * latent @ inner) @ outer), labels


def _training(seed, repetition):
    return _sample(np.random.default_rng([TRAINING_SECRET, seed, repetition]), TRAIN_ROWS)


def _evaluation(split):
    return _sample(np.random.default_rng(SECRET[split]), EVAL_ROWS)
