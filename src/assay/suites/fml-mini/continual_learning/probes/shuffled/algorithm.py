"""Nearest class means over all classes, learned from labels that were shuffled: only which digits exist is left."""

import numpy as np


def learn(state, X, y, seed):
    rng = np.random.default_rng(seed)
    means = state["means"].astype(float) if state else np.zeros((10, 64))
    shuffled = rng.integers(10, size=len(y))
    for digit in range(10):
        means[digit] += X[shuffled == digit].mean(axis=0)
    return {"means": means}


def predict(state, X):
    means = state["means"].astype(float) / 5
    return ((X[:, None] - means[None]) ** 2).sum(axis=2).argmin(axis=1)
