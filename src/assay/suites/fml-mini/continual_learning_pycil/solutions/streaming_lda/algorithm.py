"""Streaming linear discriminant analysis: class means and one shared covariance, added up over the stages.

The features look like the output of a tanh, so its inverse comes first. Nothing that was counted is forgotten, and the
memory is not needed.
"""

import numpy as np

CLASSES = 100
SHRINKAGE = 0.03


def unfold(X):
    return np.arctanh(np.clip(X, -0.999, 0.999))


def learn(state, memory_X, memory_y, X, y, seed):
    H = unfold(X)
    counts = np.bincount(y, minlength=CLASSES)
    sums = np.eye(CLASSES)[y].T @ H
    residual = H - (sums / np.maximum(counts, 1)[:, None])[y]
    scatter = residual.T @ residual
    if state:
        counts, sums, scatter = counts + state["counts"], sums + state["sums"], scatter + state["scatter"]
    return {"counts": counts, "sums": sums, "scatter": scatter}, []


def predict(state, memory_X, memory_y, X):
    seen = np.flatnonzero(state["counts"])
    means = state["sums"][seen].astype(float) / state["counts"][seen][:, None]
    covariance = state["scatter"].astype(float) / state["counts"].sum()
    level = np.trace(covariance) / len(covariance)
    covariance = (1 - SHRINKAGE) * covariance + SHRINKAGE * level * np.eye(len(covariance))
    weights = np.linalg.solve(covariance, means.T)
    scores = unfold(X) @ weights - 0.5 * np.sum(means.T * weights, axis=0)
    return seen[scores.argmax(axis=1)]
