"""Probe: every row gets the same score and the same class."""

import numpy as np


def fit(X, y, seed):
    return np.bincount(y).argmax()


def score(state, X):
    return np.zeros(len(X))


def predict(state, X):
    return np.full(len(X), state)
