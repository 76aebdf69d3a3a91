"""Trusted side: episodes of new classes. Each has classes of its own, so that one episode tells nothing of another."""

import numpy as np

from assay.tasks.expect import labels
from assay.tasks.grader import Grade

POPULATION_SECRET = 553807
SECRET = {"val": 217943, "test": 689461}
FEATURES = 64
BASE_CLASSES, BASE_ROWS = 40, 60
EPISODES, WAYS, QUERIES = 300, 5, 15
AGAIN, FEWER = 60, 25
"""So many episodes are asked again with so few of their queries, to tell inductive from transductive methods."""


def conduct(perform, split, seed):
    base_X, base_y = _base()
    support_X, query_X, _ = _episodes(split, seed)
    inputs = {"base_X": base_X, "base_y": base_y, "seed": seed}
    answers = perform({**inputs, "support_X": support_X, "query_X": query_X})
    fewer = perform({**inputs, "support_X": support_X[:AGAIN], "query_X": query_X[:AGAIN, :FEWER]})
    return {
        "labels": labels(answers, "labels", EPISODES * WAYS * QUERIES, WAYS).reshape(EPISODES, -1),
        "again": labels(fewer, "labels", AGAIN * FEWER, WAYS).reshape(AGAIN, -1),
    }


def grade(outputs, split, seed):
    truth = _episodes(split, seed)[2]
    accuracy = (outputs["labels"] == truth).mean(axis=1)
    metrics = {
        "accuracy_mean": float(accuracy.mean()),
        "inductive_mean": float(np.mean(outputs["again"] == outputs["labels"][:AGAIN, :FEWER])),
    }
    return Grade(metrics, {"accuracy_mean": float(accuracy.std(ddof=1) / np.sqrt(EPISODES))})


def _features(rng, classes, rows):
    """`rows` feature vectors of each of `classes` fresh classes: classes by rows by features."""
    world = np.random.default_rng(POPULATION_SECRET)
    within, _ = np.linalg.qr(world.normal(size=(FEATURES, FEATURES)))
    between, _ = np.linalg.qr(world.normal(size=(FEATURES, FEATURES)))
    within = within * np.sqrt(2.6 * np.exp(-np.linspace(0, 2.2, FEATURES)))
    between = between * np.sqrt(0.9 * np.exp(-np.linspace(0, 3.0, FEATURES)))
    means = rng.normal(size=(classes, 1, FEATURES)) @ between.T
    scales = np.exp(0.35 * rng.normal(size=(classes, 1, FEATURES)))
    latent = means + (rng.normal(size=(classes, rows, FEATURES)) * scales) @ within.T
    # skewed and positive, as pooled activations of a network are
    return (np.log1p(np.exp(latent + 0.6)) ** 1.6).astype(np.float32)


def _base():
    X = _features(np.random.default_rng([POPULATION_SECRET, 1]), BASE_CLASSES, BASE_ROWS)
    return X.reshape(-1, FEATURES), np.repeat(np.arange(BASE_CLASSES), BASE_ROWS)


def _episodes(split, seed):
    """Support and query rows of all episodes and the queries' true positions, queries in random order."""
    rng = np.random.default_rng([SECRET[split], seed])
    X = _features(rng, EPISODES * WAYS, 1 + QUERIES).reshape(EPISODES, WAYS, 1 + QUERIES, FEATURES)
    support, query = X[:, :, 0], X[:, :, 1:].reshape(EPISODES, WAYS * QUERIES, FEATURES)
    order = np.argsort(rng.random((EPISODES, WAYS * QUERIES)), axis=1)
    return support, np.take_along_axis(query, order[:, :, None], axis=1), order // QUERIES
