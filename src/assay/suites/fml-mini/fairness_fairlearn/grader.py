"""Income-like data: how far apart the two groups' rates of positive answers are, and how useful the answers remain."""

from functools import lru_cache

import numpy as np

from assay.tasks.expect import labels
from assay.tasks.grader import Grade, Tampering

TRAIN_SECRET = 6631907
SECRET = {"val": 1940573, "test": 9275131}
RECHECK_SECRET = 3518267

TRAIN_ROWS, EVAL_ROWS = 4000, 3000
REPETITIONS = 3
RECHECKED_DIFFERENCES = 0.01
"""Share of repeated rows that may be answered otherwise: sums over other batches round otherwise, ties can tip."""
OCCUPATION_EFFECTS = np.array([0.9, 0.4, 0.1, -0.2, -0.6, -0.9])


def conduct(perform, split, seed):
    """One process a repetition, and one more that answers a tenth of the rows of the first again, apart from the rest."""
    outputs = {}
    for repetition in range(REPETITIONS):
        inputs, _ = _draw(split, seed, repetition)
        outputs[repetition] = labels(perform(inputs), "labels", EVAL_ROWS, 2)
    inputs, _ = _draw(split, seed, 0)
    rows = np.random.default_rng([RECHECK_SECRET, SECRET[split], seed]).permutation(EVAL_ROWS)[: EVAL_ROWS // 10]
    apart = {**inputs, "X_eval": inputs["X_eval"][rows], "group_eval": inputs["group_eval"][rows]}
    again = labels(perform(apart), "labels", len(rows), 2)
    if np.mean(again != outputs[0][rows]) > RECHECKED_DIFFERENCES:
        raise Tampering("a row's label changes with the other rows of X_eval; every row must be answered by itself")
    return outputs


def grade(outputs, split, seed):
    metrics = {"abs_demographic_parity_diff_mean": [], "balanced_acc_mean": []}
    for repetition in range(REPETITIONS):
        inputs, truth = _draw(split, seed, repetition)
        answers, group = outputs[repetition], inputs["group_eval"]
        gap = abs(answers[group == 1].mean() - answers[group == 0].mean())
        metrics["abs_demographic_parity_diff_mean"].append(gap)
        metrics["balanced_acc_mean"].append(np.mean([np.mean(answers[truth == value] == value) for value in (0, 1)]))
    return Grade(
        {name: float(np.mean(values)) for name, values in metrics.items()},
        {name: float(np.std(values, ddof=1) / np.sqrt(REPETITIONS)) for name, values in metrics.items()},
    )


# one run asks again and again for the repetitions of one seed on val, and once on test
@lru_cache(maxsize=2 * REPETITIONS)
def _draw(split, seed, repetition):
    """Inputs for the sandbox, and the evaluation labels, which stay here."""
    X, group, y = _people(TRAIN_ROWS, np.random.default_rng([TRAIN_SECRET, seed, repetition]))
    X_eval, group_eval, truth = _people(EVAL_ROWS, np.random.default_rng([SECRET[split], repetition]))
    inputs = {"X": X, "y": y, "group": group, "X_eval": X_eval, "group_eval": group_eval}
    return {**inputs, "seed": 1000 * seed + repetition}, truth


def _people(n, rng):
    """Features (education, age, hours, married, occupation one-hot, capital gain, group), group, and high income."""
    group = (rng.random(n) < 0.67).astype(np.int64)
    education = np.clip(rng.normal(10 + 0.2 * group, 2.5), 1, 16)
    age = np.clip(rng.gamma(9, 4.3, n), 17, 90)
    hours = np.clip(rng.normal(38 + 4.5 * group, 11), 1, 99)
    married = (rng.random(n) < np.where(group == 1, 0.6, 0.2)).astype(float)
    occupation = rng.integers(6, size=n)
    capital = np.where(rng.random(n) < 0.08, rng.exponential(1, n), 0)
    log_odds = -2.3 + 0.33 * (education - 10) + 0.035 * (age - 38) - 0.0012 * (age - 45) ** 2 + 0.03 * (hours - 40)
    log_odds += 2.1 * married + 0.25 * group + OCCUPATION_EFFECTS[occupation] + 1.2 * capital
    log_odds += 0.25 * rng.normal(size=n)
    y = (rng.random(n) < 1 / (1 + np.exp(-log_odds))).astype(np.int64)
    return np.column_stack([education, age, hours, married, np.eye(6)[occupation], capital, group]), group, y
