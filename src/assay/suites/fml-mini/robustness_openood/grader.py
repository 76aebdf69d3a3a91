"""Trusted side of robustness_openood: six known digits to learn, two unknown ones among the rows to score."""

import numpy as np
from sklearn.metrics import roc_auc_score

from assay.tasks.digits import digits
from assay.tasks.expect import labels, numbers, same_answers
from assay.tasks.grader import Grade

SECRET = {"noise": 402_377_911, "rows": 118_640_053, "val": 577_013_229, "test": 861_950_417}
KNOWN = (4, 5, 6, 7, 8, 9)
UNKNOWN = {"val": (0, 1), "test": (2, 3)}
NOISE = 0.15
TRAIN_POOL, TRAIN, KNOWN_ROWS, UNKNOWN_ROWS = 646, 600, 215, 360
REPEATS = 5
RECHECKED = (KNOWN_ROWS + UNKNOWN_ROWS) // 10


def conduct(perform, split, seed):
    """Five fits on random training subsets; a tenth of the rows of the first is scored again, one by one."""
    rows, _ = _evaluation(split)
    outputs = {}
    for repeat in range(REPEATS):
        inputs = {**_training(seed, repeat), "X_eval": rows, "one_by_one": False}
        answers = perform(inputs)
        outputs[f"scores{repeat}"] = numbers(answers, "scores", (len(rows),))
        outputs[f"classes{repeat}"] = labels(answers, "classes", len(rows), len(KNOWN))
        if repeat == 0:
            chosen = np.random.default_rng([SECRET[split], seed, 1]).choice(len(rows), RECHECKED, replace=False)
            again = perform({**inputs, "X_eval": rows[chosen], "one_by_one": True})
            same_answers(outputs["scores0"][chosen], numbers(again, "scores", (RECHECKED,)))
            same_answers(outputs["classes0"][chosen], labels(again, "classes", RECHECKED, len(KNOWN)))
    return outputs


def grade(outputs, split, seed):
    _, truth = _evaluation(split)
    known = truth >= 0
    rows = {"auroc_mean": [], "fpr95_mean": [], "accuracy_mean": []}
    for repeat in range(REPEATS):
        scores = numbers(outputs, f"scores{repeat}", truth.shape)
        classes = labels(outputs, f"classes{repeat}", len(truth), len(KNOWN))
        rows["auroc_mean"].append(roc_auc_score(known, scores))
        rows["fpr95_mean"].append(np.mean(scores[~known] >= np.quantile(scores[known], 0.05)))
        rows["accuracy_mean"].append(np.mean(classes[known] == truth[known]))
    return Grade(
        metrics={name: float(np.mean(values)) for name, values in rows.items()},
        stderrs={name: float(np.std(values, ddof=1) / np.sqrt(REPEATS)) for name, values in rows.items()},
    )


def _noisy():
    """All digits with noise that is the same for every row in every evaluation."""
    images, truth = digits()
    noise = np.random.default_rng(SECRET["noise"]).normal(0.0, NOISE, images.shape)
    return images + noise, truth


def _known_rows():
    _, truth = digits()
    return np.random.default_rng(SECRET["rows"]).permutation(np.flatnonzero(np.isin(truth, KNOWN)))


def _training(seed, repeat):
    images, truth = _noisy()
    rng = np.random.default_rng([SECRET["rows"], seed, repeat])
    rows = rng.permutation(_known_rows()[:TRAIN_POOL])[:TRAIN]
    return {"X": images[rows], "y": truth[rows] - KNOWN[0], "seed": int(rng.integers(2**31))}


def _evaluation(split):
    """Known and unknown rows shuffled together, and their class with -1 for unknown."""
    images, truth = _noisy()
    start = TRAIN_POOL + (0 if split == "val" else KNOWN_ROWS)
    known = _known_rows()[start : start + KNOWN_ROWS]
    unknown = np.flatnonzero(np.isin(truth, UNKNOWN[split]))[:UNKNOWN_ROWS]
    order = np.random.default_rng(SECRET[split]).permutation(KNOWN_ROWS + UNKNOWN_ROWS)
    rows = np.concatenate([known, unknown])[order]
    classes = np.concatenate([truth[known] - KNOWN[0], np.full(UNKNOWN_ROWS, -1)])[order]
    return images[rows], classes
