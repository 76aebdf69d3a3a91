"""Probe: the same embedding for every image."""

import numpy as np


def fit(X, seed):
    return None


def encode(state, X):
    return np.ones((len(X), 32))
