"""Trusted side of digits-shift: bundled digits at random places of a larger canvas, under noise."""

from functools import cache

import numpy as np

from assay.tasks.digits import digits
from assay.tasks.files import as_csv, as_files, numbers_of, table_of
from assay.tasks.grader import Grade, InvalidOutput

SECRET = {"rows": 604_118_257, "train": 77_320_469, "val": 931_205_613, "test": 268_774_091}
CLASSES, TRAIN, ROWS = 10, 1000, 398
SIDE, CANVAS, NOISE = 8, 12, 0.10
COLUMNS = [f"c{k}" for k in range(CLASSES)]
IDS = [str(TRAIN + number) for number in range(ROWS)]
SUM_TOLERANCE = 1e-3


def prepare(split, seed):
    rng = np.random.default_rng([SECRET["train"], seed])
    images, labels = _rows()
    order = rng.permutation(TRAIN)
    train = {"id": range(TRAIN), "label": labels[order], **_pixels(_moved(images[order], rng))}
    return as_files({"train.csv": as_csv(train), "test.csv": as_csv({"id": IDS, **_pixels(_evaluation(split)[0])})})


def grade(outputs, split, seed):
    table = table_of(outputs, "submission.csv", IDS, COLUMNS)
    answers = np.column_stack([numbers_of(table, name, "submission.csv") for name in COLUMNS])
    off = (answers < 0).any(axis=1) | (np.abs(answers.sum(axis=1) - 1) > SUM_TOLERANCE)
    if off.any():
        raise InvalidOutput(f"submission.csv, id '{IDS[off.argmax()]}': c0 … c9 must be probabilities that sum to 1")
    _, truth = _evaluation(split)
    return Grade({"accuracy": float(np.mean(answers.argmax(axis=1) == truth))})


@cache
def _rows():
    """All digits in a secret order: first the training images, then those of val, then those of test."""
    images, labels = digits()
    order = np.random.default_rng(SECRET["rows"]).permutation(len(labels))
    return images[order].reshape(-1, SIDE, SIDE), labels[order]


@cache
def _evaluation(split):
    images, labels = _rows()
    start = TRAIN + (0 if split == "val" else ROWS)
    rng = np.random.default_rng(SECRET[split])
    return _moved(images[start : start + ROWS], rng), labels[start : start + ROWS]


def _moved(images, rng):
    """Each image at a random place of the canvas, with noise, as whole numbers 0 … 255."""
    canvas = np.zeros((len(images), CANVAS, CANVAS))
    for row, image, (top, left) in zip(
        canvas, images, rng.integers(CANVAS - SIDE + 1, size=(len(images), 2)), strict=True
    ):
        row[top : top + SIDE, left : left + SIDE] = image
    noisy = canvas + rng.normal(0.0, NOISE, canvas.shape)
    return np.rint(255 * np.clip(noisy, 0.0, 1.0)).astype(int).reshape(len(images), -1)


def _pixels(images):
    return {f"p{number}": column for number, column in enumerate(images.T)}
