"""Trusted side of treatment_budget: who is treated when there is enough for three people in ten.

The candidate gives priorities and nothing else; the budget is applied here.
"""

import numpy as np
from scipy.special import expit

from assay.tasks.expect import numbers
from assay.tasks.grader import Grade

SECRET = {"train": 487_220_651, "val": 95_316_787, "test": 231_907_463}
COVARIATES, TRAIN, PEOPLE, TREATED = 12, 1000, 500, 150
STUDIES = 5


def conduct(perform, split, seed):
    """Five studies, each in a process of its own."""
    outputs = {}
    for study in range(STUDIES):
        answers = perform({**_study(seed, study), "X_eval": _people(split, study)})
        outputs[f"priority{study}"] = numbers(answers, "priority", (PEOPLE,))
    return outputs


def grade(outputs, split, seed):
    shares, gains = [], []
    for study in range(STUDIES):
        effect = _effect(_people(split, study))
        gain = _gain(numbers(outputs, f"priority{study}", (PEOPLE,)), effect)
        gains.append(gain / PEOPLE)
        shares.append(gain / _gain(effect, effect))
    return Grade(
        metrics={"value_share_mean": float(np.mean(shares)), "gain_mean": float(np.mean(gains))},
        stderrs={"value_share_mean": float(np.std(shares, ddof=1) / np.sqrt(STUDIES))},
    )


def _gain(priority, effect):
    """Total effect on those treated: the highest positive priorities within the budget, earlier rows first among equals."""
    chosen = np.argsort(-priority, kind="stable")[:TREATED]
    return effect[chosen[priority[chosen] > 0]].sum()


def _covariates(count, rng):
    shared = rng.normal(size=(count, 1))
    return np.sqrt(0.8) * rng.normal(size=(count, COVARIATES)) + np.sqrt(0.2) * shared


def _effect(X):
    """Helps some and harms others; most of what moves the outcome does not move the effect."""
    linear = X[:, [0, 7, 9]].sum(axis=1) - X[:, [3, 8, 10]].sum(axis=1)
    return 0.45 * linear + 0.7 * np.maximum(X[:, 1] * X[:, 4], 0.0) - 0.4


def _study(seed, study):
    """Doctors treated those who were badly off, so that treated people fare worse than others."""
    rng = np.random.default_rng([SECRET["train"], seed, study])
    X = _covariates(TRAIN, rng)
    usual = 2.0 * X[:, 1] + 1.5 * np.sin(1.5 * X[:, 2]) + X[:, 5] ** 2 + X[:, 6]
    treatment = (rng.random(TRAIN) < np.clip(expit(-0.6 * usual - 0.3 * X[:, 0]), 0.05, 0.95)).astype(np.int64)
    y = usual + treatment * _effect(X) + rng.normal(size=TRAIN)
    return {"X": X, "treatment": treatment, "y": y, "seed": int(rng.integers(2**31))}


def _people(split, study):
    return _covariates(PEOPLE, np.random.default_rng([SECRET[split], study]))
