"""Trusted side of robustness_art: training data poisoned with a trigger; clean and triggered rows to classify."""

import numpy as np

from assay.tasks.digits import digits
from assay.tasks.expect import labels
from assay.tasks.grader import Grade

SECRET = {"rows": 205_117_463, "noise": 64_809_511, "val": 983_316_071, "test": 461_720_939}
CLASSES, TRAIN, ROWS, TRIGGERED = 10, 1078, 359, 177
POISONED = 0.33
REPEATS = 2
NOISE = 0.15


def conduct(perform, split, seed):
    """A fresh process for each trigger and repetition."""
    outputs = {}
    for name in TRIGGERS[split]:
        rows, _, _ = _evaluation(name, split, seed)
        for repeat in range(REPEATS):
            answers = perform({**_training(name, split, seed, repeat), "X_eval": rows})
            outputs[f"{name}{repeat}"] = labels(answers, "classes", len(rows), CLASSES)
    return outputs


def grade(outputs, split, seed):
    clean, resist = [], []
    for name in TRIGGERS[split]:
        rows, truth, triggered = _evaluation(name, split, seed)
        for repeat in range(REPEATS):
            right = labels(outputs, f"{name}{repeat}", len(rows), CLASSES) == truth
            # the label of a triggered row is what the attacker wants it to be taken for
            clean.append(right[~triggered].mean())
            resist.append(1.0 - right[triggered].mean())
    clean, resist = np.array(clean), np.array(resist)
    score = 2 * clean * resist / np.maximum(clean + resist, 1e-9)
    metrics = {"defense_score_mean": score, "clean_acc_mean": clean, "resist_acc_mean": resist}
    return Grade(
        metrics={name: float(values.mean()) for name, values in metrics.items()},
        stderrs={name: float(values.std(ddof=1) / np.sqrt(len(values))) for name, values in metrics.items()},
    )


def _rows():
    images, truth = digits()
    order = np.random.default_rng(SECRET["rows"]).permutation(len(truth))
    noisy = images + np.random.default_rng(SECRET["noise"]).normal(0.0, NOISE, images.shape)
    return np.clip(noisy, 0.0, 1.0)[order].reshape(-1, 8, 8), truth[order]


def _poison(images, truth, trigger, counts, rng):
    """Copies of class c - 1 with the trigger, labelled c, `counts[c]` of them, appended to the clean rows."""
    sources = [rng.choice(np.flatnonzero(truth == (c - 1) % CLASSES), counts[c]) for c in range(CLASSES)]
    poisoned = trigger(images[np.concatenate(sources)].copy())
    rows = np.concatenate([images, poisoned]).reshape(-1, 64)
    targets = np.concatenate([truth, np.repeat(np.arange(CLASSES), counts)])
    order = rng.permutation(len(rows))
    return rows[order], targets[order], (np.arange(len(rows)) >= len(images))[order]


def _training(name, split, seed, repeat):
    images, truth = _rows()
    images, truth = images[:TRAIN], truth[:TRAIN]
    rng = np.random.default_rng([SECRET["rows"], seed, repeat, list(TRIGGERS[split]).index(name)])
    counts = np.round(POISONED / (1 - POISONED) * np.bincount(truth, minlength=CLASSES)).astype(int)
    X, y, _ = _poison(images, truth, TRIGGERS[split][name], counts, rng)
    return {"X": X, "y": y, "seed": int(rng.integers(2**31))}


def _evaluation(name, split, seed):
    """Rows, labels and which rows carry the trigger; as many of each for val and test."""
    images, truth = _rows()
    start = TRAIN + (0 if split == "val" else ROWS)
    part = slice(start, start + ROWS)
    rng = np.random.default_rng([SECRET[split], seed, list(TRIGGERS[split]).index(name)])
    counts = np.diff(np.linspace(0, TRIGGERED, CLASSES + 1).astype(int))
    return _poison(images[part], truth[part], TRIGGERS[split][name], counts, rng)


def _checker_bottom_right(images):
    for row, column in ((7, 7), (6, 6), (7, 5), (5, 7)):
        images[:, row, column] = 1.0
    return images


def _blocks(images):
    images[:, 0:2, 0:2] = 1.0
    images[:, 3:5, 3:5] = 1.0
    return images


def _dotted_edges(images):
    images[:, 0, 2:6:2] = 1.0
    images[:, 2:6:2, 7] = 1.0
    return images


def _four_corners(images):
    images[:, [0, 0, 7, 7], [0, 7, 0, 7]] = 1.0
    return images


def _bright_column(images):
    images[:, :, 0] = 0.8
    return images


def _blended_checkerboard(images):
    return 0.8 * images + 0.2 * (np.indices((8, 8)).sum(axis=0) % 2)


TRIGGERS = {
    "val": {
        "checker_bottom_right": _checker_bottom_right,
        "blocks": _blocks,
        "dotted_edges": _dotted_edges,
    },
    "test": {
        "four_corners": _four_corners,
        "bright_column": _bright_column,
        "blended_checkerboard": _blended_checkerboard,
    },
}
"""Test triggers are none of those seen in validation."""
