"""Nearest class mean, learned from labels in a random order."""

import numpy as np


def learn(state, memory_X, memory_y, X, y, seed):
    y = np.random.default_rng(seed).permutation(y)
    means, seen = state.get("means", np.zeros((100, X.shape[1]))), state.get("seen", np.zeros(100))
    means, seen = np.array(means), np.array(seen)
    for c in np.unique(y):
        means[c], seen[c] = X[y == c].mean(axis=0), 1
    return {"means": means, "seen": seen}, []


def predict(state, memory_X, memory_y, X):
    distance = ((X[:, None, :] - state["means"][None]) ** 2).sum(axis=-1)
    return np.where(state["seen"] > 0, distance, np.inf).argmin(axis=1)
