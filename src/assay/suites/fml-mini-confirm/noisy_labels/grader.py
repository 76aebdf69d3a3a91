"""Trusted side of noisy_labels: two labels in five are wrong in training, all are right in evaluation."""

from functools import cache

import numpy as np

from assay.tasks.digits import digits
from assay.tasks.expect import labels
from assay.tasks.grader import Grade

SECRET = {"rows": 529_660_171, "pixels": 12_870_643, "val": 846_021_557, "test": 310_795_889}
CLASSES, TRAIN, ROWS = 10, 1078, 359
CONFUSED, ARBITRARY, NOISE = 0.3, 0.1, 0.15
REPEATS = 4


def conduct(perform, split, seed):
    """Four draws of the wrong labels, each in a process of its own."""
    images, _ = _evaluation(split)
    outputs = {}
    for repeat in range(REPEATS):
        answers = perform({**_training(seed, repeat), "X_eval": images})
        outputs[f"classes{repeat}"] = labels(answers, "classes", ROWS, CLASSES)
    return outputs


def grade(outputs, split, seed):
    _, truth = _evaluation(split)
    values = [np.mean(labels(outputs, f"classes{k}", ROWS, CLASSES) == truth) for k in range(REPEATS)]
    return Grade(
        metrics={"clean_acc_mean": float(np.mean(values))},
        stderrs={"clean_acc_mean": float(np.std(values, ddof=1) / np.sqrt(REPEATS))},
    )


@cache
def _rows():
    """All digits in a secret order, with noise that is fixed for each row."""
    images, truth = digits()
    noisy = images + np.random.default_rng(SECRET["pixels"]).normal(0.0, NOISE, images.shape)
    order = np.random.default_rng(SECRET["rows"]).permutation(len(truth))
    return noisy[order], truth[order]


def _training(seed, repeat):
    """Labels: most right, many of them moved to the class's fixed partner, some drawn at random."""
    images, truth = _rows()
    partner = np.roll(np.arange(CLASSES), 3)
    rng = np.random.default_rng([SECRET["rows"], seed, repeat])
    order = rng.permutation(TRAIN)
    given = truth[order]
    kind = rng.random(TRAIN)
    given = np.where(kind < CONFUSED, partner[given], given)
    given = np.where(kind > 1 - ARBITRARY, rng.integers(CLASSES, size=TRAIN), given)
    return {"X": images[order], "y": given, "seed": int(rng.integers(2**31))}


def _evaluation(split):
    images, truth = _rows()
    start = TRAIN + (0 if split == "val" else ROWS)
    order = start + np.random.default_rng(SECRET[split]).permutation(ROWS)
    return images[order], truth[order]
