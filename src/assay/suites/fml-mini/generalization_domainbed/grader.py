"""Coloured digits: which of two hidden environments the predictor serves worst, and how well."""

from functools import lru_cache

import numpy as np

from assay.tasks.digits import digits
from assay.tasks.expect import labels
from assay.tasks.grader import Grade, Tampering

ROWS_SECRET = 5077213
"""Deals the images to training, validation and test."""
TRAIN_SECRET = 2690841
SECRET = {"val": 8812067, "test": 4156093}
RECHECK_SECRET = 7340159

LABEL_NOISE = 0.25
TRAIN_COLOUR_NOISE = (0.1, 0.3)
EVAL_COLOUR_NOISE = {"val": (0.25, 0.75), "test": (0.1, 0.9)}
TRAIN_IMAGES, EVAL_IMAGES = 500, 396
"""Images of one training environment, and of both evaluation environments together; half of each below five."""
EVAL_ROWS = 9 * EVAL_IMAGES
REPETITIONS = 3
RECHECKED_DIFFERENCES = 0.01
"""Share of repeated rows that may be answered otherwise: sums over other batches round otherwise, ties can tip."""


def conduct(perform, split, seed):
    """One process a repetition, and one more that answers a tenth of the rows of the first again, apart from the rest."""
    outputs = {}
    for repetition in range(REPETITIONS):
        inputs, _, _ = _draw(split, seed, repetition)
        outputs[repetition] = labels(perform(inputs), "labels", EVAL_ROWS, 2)
    inputs, _, _ = _draw(split, seed, 0)
    rows = np.random.default_rng([RECHECK_SECRET, SECRET[split], seed]).permutation(EVAL_ROWS)[: EVAL_ROWS // 10]
    again = labels(perform({**inputs, "X_eval": inputs["X_eval"][rows]}), "labels", len(rows), 2)
    if np.mean(again != outputs[0][rows]) > RECHECKED_DIFFERENCES:
        raise Tampering("a row's label changes with the other rows of X_eval; every row must be answered by itself")
    return outputs


def grade(outputs, split, seed):
    metrics = {"in_acc_mean": [], "avg_acc_mean": []}
    for repetition in range(REPETITIONS):
        _, truth, environment = _draw(split, seed, repetition)
        right = outputs[repetition] == truth
        accuracies = [right[environment == e].mean() for e in (0, 1)]
        metrics["in_acc_mean"].append(min(accuracies))
        metrics["avg_acc_mean"].append(np.mean(accuracies))
    return Grade(
        {name: float(np.mean(values)) for name, values in metrics.items()},
        {name: float(np.std(values, ddof=1) / np.sqrt(REPETITIONS)) for name, values in metrics.items()},
    )


# one run asks again and again for the repetitions of one seed on val, and once on test
@lru_cache(maxsize=2 * REPETITIONS)
def _draw(split, seed, repetition):
    """Inputs for the sandbox, and what stays here: true labels and the environment of each evaluation row."""
    inputs = {"seed": 1000 * seed + repetition}
    dealt = _deal()
    rng = np.random.default_rng([TRAIN_SECRET, seed, repetition])
    for e, noise in enumerate(TRAIN_COLOUR_NOISE):
        inputs[f"X_{e}"], inputs[f"y_{e}"] = _environment(dealt[f"train_{e}"], noise, rng)
    rng = np.random.default_rng([SECRET[split], seed, repetition])
    # the same rows below and above five in each environment: a constant answer is worth exactly a coin's
    halves = rng.permuted(dealt[split].reshape(2, -1), axis=1).reshape(2, 2, -1).swapaxes(0, 1).reshape(2, -1)
    parts = [_environment(half, noise, rng) for half, noise in zip(halves, EVAL_COLOUR_NOISE[split], strict=True)]
    mixed = rng.permutation(sum(len(y) for _, y in parts))
    inputs["X_eval"] = np.concatenate([X for X, _ in parts])[mixed]
    truth = np.concatenate([y for _, y in parts])[mixed]
    environment = np.repeat([0, 1], [len(y) for _, y in parts])[mixed]
    return inputs, truth, environment


def _deal():
    """Disjoint image numbers for every part, digits below five first and as many from five up after them."""
    _, numbers = digits()
    rng = np.random.default_rng(ROWS_SECRET)
    small, large = (rng.permutation(np.flatnonzero(side)) for side in (numbers < 5, numbers >= 5))
    sizes = {"train_0": TRAIN_IMAGES, "train_1": TRAIN_IMAGES, "val": EVAL_IMAGES, "test": EVAL_IMAGES}
    ends = np.cumsum([size // 2 for size in sizes.values()])
    return {
        part: np.concatenate([small[end - size // 2 : end], large[end - size // 2 : end]])
        for (part, size), end in zip(sizes.items(), ends, strict=True)
    }


def _environment(rows, colour_noise, rng):
    """All nine one-pixel shifts of some images, coloured, and their noisy labels, in random order."""
    images, numbers = (array[rows] for array in digits())
    padded = np.pad(images.reshape(-1, 8, 8), ((0, 0), (1, 1), (1, 1)))
    shifted = np.concatenate([padded[:, a : a + 8, b : b + 8] for a in range(3) for b in range(3)])
    labels = np.tile(numbers < 5, 9) ^ (rng.random(len(shifted)) < LABEL_NOISE)
    colour = labels ^ (rng.random(len(shifted)) < colour_noise)
    coloured = np.stack([shifted * ~colour[:, None, None], shifted * colour[:, None, None]], axis=1)
    order = rng.permutation(len(shifted))
    return coloured[order].astype(np.float32), labels[order].astype(np.int64)
