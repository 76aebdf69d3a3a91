"""Digits that come two classes at a time: what a learner still knows at the end, if only a small state survives."""

from functools import cache

import numpy as np

from assay.tasks.digits import digits
from assay.tasks.expect import labels
from assay.tasks.grader import Grade, InvalidOutput, Tampering

ROWS_SECRET = 3096617
"""Deals the images to training, validation and test, and fixes the order in which rows are handed out."""
ORDER_SECRET = 8250343
RECHECK_SECRET = 5713901

TRAIN_ROWS, EVAL_ROWS = 1078, 359
CLASSES, CONTEXTS = 10, 5
REPETITIONS = 3
PIXEL_NOISE = 0.2
"""Standard deviation of what is added to every pixel, once for all: images that cannot be packed without loss."""
STATE_NUMBERS = 10_000
"""What survives a context, kept in half precision. The training images are 68,992 numbers."""
STATE_NAMES = 32
RECHECKED_DIFFERENCES = 0.01
"""Share of repeated rows that may be answered otherwise: sums over other batches round otherwise, ties can tip."""


def conduct(perform, split, seed):
    """Every context, and the final examination, in a process of its own; the state is all that passes between them."""
    images, _ = _evaluation(split)
    outputs, differing = {}, []
    for repetition in range(REPETITIONS):
        state = {}
        for context, (X, y) in enumerate(_contexts(seed, repetition)):
            state = _kept(perform({"X": X, "y": y, "seed": 1000 * seed + 10 * repetition + context, **state}))
        answers = labels(perform({"X": images, **state}), "labels", EVAL_ROWS, CLASSES)
        rows = np.random.default_rng([RECHECK_SECRET, seed, repetition]).permutation(EVAL_ROWS)[: EVAL_ROWS // 10]
        again = labels(perform({"X": images[rows], **state}), "labels", len(rows), CLASSES)
        differing.append(np.mean(again != answers[rows]))
        outputs[repetition] = answers
    if np.mean(differing) > RECHECKED_DIFFERENCES:
        raise Tampering("a row's label changes with the other rows of X; every row must be answered by itself")
    return outputs


def grade(outputs, split, seed):
    _, truth = _evaluation(split)
    scores = []
    for repetition in range(REPETITIONS):
        right = outputs[repetition] == truth
        context = _context_of_digit(seed, repetition)[truth]
        scores.append(np.mean([right[context == c].mean() for c in range(CONTEXTS)]))
    stderr = float(np.std(scores, ddof=1) / np.sqrt(REPETITIONS))
    return Grade({"average_acc_mean": float(np.mean(scores))}, {"average_acc_mean": stderr})


@cache
def _noisy_digits():
    images, numbers = digits()
    return images + PIXEL_NOISE * np.random.default_rng([ROWS_SECRET, 1]).normal(size=images.shape), numbers


def _deal():
    """Disjoint image numbers: training, validation, test."""
    order = np.random.default_rng(ROWS_SECRET).permutation(len(digits()[1]))
    return {
        "train": order[:TRAIN_ROWS],
        "val": order[TRAIN_ROWS : TRAIN_ROWS + EVAL_ROWS],
        "test": order[TRAIN_ROWS + EVAL_ROWS : TRAIN_ROWS + 2 * EVAL_ROWS],
    }


def _evaluation(split):
    images, numbers = _noisy_digits()
    rows = _deal()[split]
    return images[rows].astype(np.float32), numbers[rows]


def _context_of_digit(seed, repetition):
    """Which of the five contexts each digit belongs to; another order for every seed and repetition."""
    order = np.random.default_rng([ORDER_SECRET, seed, repetition]).permutation(CLASSES)
    return np.argsort(order) // (CLASSES // CONTEXTS)


def _contexts(seed, repetition):
    images, numbers = (array[_deal()["train"]] for array in _noisy_digits())
    context = _context_of_digit(seed, repetition)[numbers]
    for c in range(CONTEXTS):
        yield images[context == c].astype(np.float32), numbers[context == c].astype(np.int64)


def _kept(learned):
    """What the next process gets: the learner's arrays in half precision, if they fit. Names begin with `state.`"""
    state = {}
    for name, value in learned.items():
        if not isinstance(value, np.ndarray):
            raise InvalidOutput(f"learn must return a dict of arrays; '{name}' is {type(value).__name__}")
        with np.errstate(over="ignore"):
            state[f"state.{name.removeprefix('state.')}"] = value.astype(np.float16)
    if not all(np.isfinite(array).all() for array in state.values()):
        raise InvalidOutput("the state has values that half precision cannot hold: NaN, infinite, or beyond 65504")
    # names carry information too, so their letters count
    numbers = sum(array.size + len(name) - len("state.") for name, array in state.items())
    if numbers > STATE_NUMBERS or len(state) > STATE_NAMES:
        raise Tampering(
            f"the state has {numbers} numbers in {len(state)} arrays; {STATE_NUMBERS} in {STATE_NAMES} is all that survives"
        )
    return state
