"""Probe: an embedding by chance alone."""

import numpy as np


def fit(X, seed):
    return np.random.default_rng(seed)


def encode(rng, X):
    return rng.normal(size=(len(X), 32))
