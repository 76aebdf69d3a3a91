"""Probe: scores and classes that depend on the row by chance alone."""

import numpy as np


def fit(X, y, seed):
    return np.random.default_rng(seed).normal(size=(X.shape[1], 2))


def score(state, X):
    return np.sin(1e4 * np.einsum("nd,d->n", X, state[:, 0]))


def predict(state, X):
    return np.floor(6 * np.abs(np.sin(1e4 * np.einsum("nd,d->n", X, state[:, 1])))).astype(int) % 6
