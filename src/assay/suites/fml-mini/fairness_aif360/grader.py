"""Trusted side: a simulated register with a sensitive attribute and a proxy for it."""

import numpy as np

from assay.tasks.expect import labels
from assay.tasks.grader import Grade, Tampering

TRAINING_SECRET = 964513
SECRET = {"val": 371179, "test": 548237}
REPETITIONS = 5
TRAIN, EVAL = 3000, 4000


def conduct(perform, split, seed):
    """One process for each repetition; one of them is asked again for a tenth of its rows."""
    outputs = {}
    for number in range(REPETITIONS):
        inputs, _ = _repetition(split, seed, number)
        outputs[number] = labels(perform(inputs), "labels", EVAL, 2)
    # the same repetition and rows on both splits, so that the call says nothing about the split
    rng = np.random.default_rng([TRAINING_SECRET, seed, REPETITIONS])
    number = int(rng.integers(REPETITIONS))
    rows = rng.permutation(EVAL)[: EVAL // 10]
    inputs, _ = _repetition(split, seed, number)
    fewer = {**inputs, "X_eval": inputs["X_eval"][rows], "s_eval": inputs["s_eval"][rows]}
    # one row in a hundred may sit on a border that another order of additions moves
    if np.mean(labels(perform(fewer), "labels", len(rows), 2) != outputs[number][rows]) > 0.01:
        raise Tampering("predictions depend on which other rows are asked for, or are not the same when asked again")
    return outputs


def grade(outputs, split, seed):
    gaps, accuracies, opportunities = [], [], []
    for number in range(REPETITIONS):
        answers = outputs[number]
        inputs, truth = _repetition(split, seed, number)
        s = inputs["s_eval"]
        gap = {y: answers[(s == 0) & (truth == y)].mean() - answers[(s == 1) & (truth == y)].mean() for y in (0, 1)}
        gaps.append(abs(gap[0] + gap[1]) / 2)
        opportunities.append(abs(gap[1]))
        accuracies.append(np.mean(answers == truth))
    metrics = {
        "abs_aod_mean": float(np.mean(gaps)),
        "accuracy_mean": float(np.mean(accuracies)),
        "abs_eod_mean": float(np.mean(opportunities)),
    }
    return Grade(metrics, {"abs_aod_mean": float(np.std(gaps, ddof=1) / np.sqrt(REPETITIONS))})


def _repetition(split, seed, number):
    """Inputs and true labels. Training rows are drawn by the seed and are the same for both splits."""
    X, s, y = _people(np.random.default_rng([TRAINING_SECRET, seed, number]), TRAIN)
    X_eval, s_eval, y_eval = _people(np.random.default_rng([SECRET[split], number]), EVAL)
    inputs = {"X": X, "y": y, "s": s, "X_eval": X_eval, "s_eval": s_eval, "seed": seed * REPETITIONS + number}
    return inputs, y_eval


def _people(rng, rows):
    """Features, sensitive attribute (1 = privileged) and label (1 = favourable)."""
    s = (rng.random(rows) < 0.2).astype(np.int64)
    age = np.clip(rng.gamma(7, 5, rows), 18, 80)
    priors = rng.poisson(rng.gamma(1.2, np.where(s == 1, 1.2, 2.2)))
    degree = (rng.random(rows) < np.where(s == 1, 0.55, 0.68)).astype(np.int64)
    race = (rng.random(rows) < 0.4).astype(np.int64)
    code = np.where(
        s == 1,
        rng.choice(4, rows, p=[0.45, 0.30, 0.15, 0.10]),
        rng.choice(4, rows, p=[0.08, 0.17, 0.35, 0.40]),
    )
    risk = -0.2 - 0.045 * (age - 34) + 0.22 * np.minimum(priors, 8) + 0.3 * degree - 0.45 * s - 0.1 * race
    favourable = (risk + 0.9 * rng.logistic(size=rows) <= 0).astype(np.int64)
    columns = [
        np.eye(3)[np.digitize(age, [25, 45])],
        np.eye(3)[np.digitize(priors, [1, 4])],
        np.eye(2)[degree],
        race,
        np.log1p(priors),
        age / 40,
        np.eye(4)[code],
        s,
    ]
    return np.column_stack(columns).astype(float), s, favourable
