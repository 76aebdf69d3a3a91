"""Probe: class frequencies for every row. Leaks nothing and knows nothing: the constraint has to refuse it."""

import numpy as np


def train(X, y, seed):
    return np.bincount(y, minlength=5) / len(y)


def predict_proba(frequencies, X):
    return np.tile(frequencies, (len(X), 1))
