"""Trusted side of representation_lightly: the candidate embeds images without any label, the grader probes the embedding."""

from functools import cache

import numpy as np
from sklearn.linear_model import LogisticRegression

from assay.tasks.digits import digits
from assay.tasks.expect import numbers
from assay.tasks.grader import Grade, InvalidOutput

SECRET = {"rows": 871_334_029, "labels": 240_991_663}
CLASSES, LABELLED_POOL, ROWS = 10, 1078, 359
MAX_NUMBERS, LARGEST = 32, 1e6
LABELS_PER_CLASS = 5
ENCODERS, DRAWS = 3, 5


def conduct(perform, split, seed):
    """Three encoders with seeds of their own. All images go in, whatever the split, in an order that says nothing."""
    images, _ = _rows()
    outputs = {}
    for encoder in range(ENCODERS):
        rng = np.random.default_rng([SECRET["rows"], seed, encoder])
        order = rng.permutation(len(images))
        answers = perform({"X": images[order], "seed": int(rng.integers(2**31))})
        embedding = numbers(answers, "embedding", (len(images), None))
        if not 1 <= embedding.shape[1] <= MAX_NUMBERS:
            raise InvalidOutput(f"encode gave {embedding.shape[1]} numbers a row; allowed are 1 … {MAX_NUMBERS}")
        if np.abs(embedding).max() > LARGEST:
            raise InvalidOutput(f"embeddings must lie within ±{LARGEST:g}")
        outputs[f"embedding{encoder}"] = embedding[np.argsort(order)]
    return outputs


def grade(outputs, split, seed):
    _, truth = _rows()
    start = LABELLED_POOL + (0 if split == "val" else ROWS)
    part = slice(start, start + ROWS)
    values = []
    for encoder in range(ENCODERS):
        embedding = numbers(outputs, f"embedding{encoder}", (len(truth), None))
        pool = embedding[:LABELLED_POOL]
        embedding = (embedding - pool.mean(axis=0)) / (pool.std(axis=0) + 1e-9)
        accuracies = []
        for draw in range(DRAWS):
            labelled = _labelled_rows(truth, np.random.default_rng([SECRET["labels"], seed, encoder, draw]))
            probe = LogisticRegression(C=0.1, max_iter=300).fit(embedding[labelled], truth[labelled])
            accuracies.append(np.mean(probe.predict(embedding[part]) == truth[part]))
        values.append(np.mean(accuracies))
    return Grade(
        metrics={"test_acc_mean": float(np.mean(values))},
        stderrs={"test_acc_mean": float(np.std(values, ddof=1) / np.sqrt(ENCODERS))},
    )


@cache
def _rows():
    """All digits in a secret order: rows whose labels the probe may use, then those of val, then those of test."""
    images, truth = digits()
    order = np.random.default_rng(SECRET["rows"]).permutation(len(truth))
    return images[order], truth[order]


def _labelled_rows(truth, rng):
    pool = truth[:LABELLED_POOL]
    return np.concatenate(
        [rng.choice(np.flatnonzero(pool == c), LABELS_PER_CLASS, replace=False) for c in range(CLASSES)]
    )
