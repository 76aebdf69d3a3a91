"""Trusted side: two labels a class, drawn anew five times. Every draw goes to a process of its own."""

import numpy as np

from assay.tasks.digits import digits
from assay.tasks.expect import labels
from assay.tasks.grader import Grade

ROWS_SECRET = 507319
"""Shuffles all images and so decides which are for training, validation and test."""
SECRET = {"val": 833017, "test": 126541}
DRAWS = 5
TRAIN, EVAL = 1078, 359
CLASSES, LABELS = 10, 2


def conduct(perform, split, seed):
    """One process for each draw: five draws together would be a hundred labels."""
    answers = [perform(_draw(split, seed, number)[0]) for number in range(DRAWS)]
    return {number: labels(answer, "labels", EVAL, CLASSES) for number, answer in enumerate(answers)}


def grade(outputs, split, seed):
    accuracy = [np.mean(outputs[number] == _draw(split, seed, number)[1]) for number in range(DRAWS)]
    metrics = {"test_acc_mean": float(np.mean(accuracy)), "worst_draw_acc": float(np.min(accuracy))}
    return Grade(metrics, {"test_acc_mean": float(np.std(accuracy, ddof=1) / np.sqrt(DRAWS))})


def _draw(split, seed, number):
    """Inputs and true labels of one draw. The labelled rows are the same for both splits."""
    X, y = digits()
    order = np.random.default_rng(ROWS_SECRET).permutation(len(y))
    start = TRAIN if split == "val" else TRAIN + EVAL
    train, evaluation = order[:TRAIN], order[start : start + EVAL]
    rng = np.random.default_rng([ROWS_SECRET, seed, number])
    train = rng.permutation(train)
    labelled = np.concatenate([train[y[train] == c][:LABELS] for c in range(CLASSES)])
    unlabelled = train[~np.isin(train, labelled)]
    evaluation = np.random.default_rng([SECRET[split], seed, number]).permutation(evaluation)
    inputs = {
        "X_labelled": X[labelled],
        "y_labelled": y[labelled],
        "X_unlabelled": X[unlabelled],
        "X_eval": X[evaluation],
        "seed": seed * DRAWS + number,
    }
    return inputs, y[evaluation]
