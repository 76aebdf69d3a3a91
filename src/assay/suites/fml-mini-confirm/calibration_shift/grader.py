"""Trusted side of calibration_shift: probabilities are compared with the true ones, on people from another population."""

from functools import cache

import numpy as np
from scipy.special import softmax

from assay.tasks.expect import probabilities
from assay.tasks.grader import Grade

SECRET = {"world": 286_504_913, "train": 71_450_329, "val": 937_115_407, "test": 164_928_053}
CLASSES, FEATURES, TRAIN, ROWS = 3, 8, 800, 600
REPEATS = 5
SHIFT, SPREAD = 1.2, 1.3
SMALLEST = 1e-6


def conduct(perform, split, seed):
    """Five training sets, each in a process of its own, with the same unlabelled rows of the other population."""
    rows = _shifted(split)
    outputs = {}
    for repeat in range(REPEATS):
        answers = perform({**_training(seed, repeat), "X_eval": rows})
        outputs[f"probabilities{repeat}"] = probabilities(answers, "probabilities", ROWS, CLASSES)
    return outputs


def grade(outputs, split, seed):
    truth = _true_probabilities(_shifted(split))
    excess, wrong = [], []
    for repeat in range(REPEATS):
        answers = probabilities(outputs, f"probabilities{repeat}", ROWS, CLASSES)
        bounded = np.clip(answers, SMALLEST, 1.0)
        bounded /= bounded.sum(axis=1, keepdims=True)
        # expected log loss beyond that of the true probabilities, without the noise of drawn labels
        excess.append((truth * np.log(truth / bounded)).sum(axis=1).mean())
        wrong.append(1.0 - truth[np.arange(ROWS), answers.argmax(axis=1)].mean())
    return Grade(
        metrics={"excess_log_loss_mean": float(np.mean(excess)), "error_mean": float(np.mean(wrong))},
        stderrs={"excess_log_loss_mean": float(np.std(excess, ddof=1) / np.sqrt(REPEATS))},
    )


@cache
def _world():
    """Linear and quadratic weights of the three classes, and one direction of shift for each split."""
    rng = np.random.default_rng(SECRET["world"])
    linear = rng.normal(0.0, 0.8, (FEATURES, CLASSES))
    quadratic = rng.normal(0.0, 0.35, (FEATURES, FEATURES, CLASSES))
    directions = rng.normal(size=(2, FEATURES))
    return linear, quadratic, directions / np.linalg.norm(directions, axis=1, keepdims=True)


def _true_probabilities(X):
    linear, quadratic, _ = _world()
    logits = X @ linear + np.einsum("ni,ijc,nj->nc", X, quadratic, X) / np.sqrt(FEATURES)
    return np.clip(softmax(logits, axis=1), 1e-12, 1.0)


def _training(seed, repeat):
    rng = np.random.default_rng([SECRET["train"], seed, repeat])
    X = rng.normal(size=(TRAIN, FEATURES))
    y = (rng.random((TRAIN, 1)) > _true_probabilities(X).cumsum(axis=1)).sum(axis=1).clip(0, CLASSES - 1)
    return {"X": X, "y": y, "seed": int(rng.integers(2**31))}


@cache
def _shifted(split):
    """Rows of a population that is moved in the split's direction and wider."""
    _, _, directions = _world()
    rng = np.random.default_rng(SECRET[split])
    return SHIFT * directions[0 if split == "val" else 1] + SPREAD * rng.normal(size=(ROWS, FEATURES))
