"""Probe: probabilities by chance alone."""

import numpy as np


def train(X, y, seed):
    return np.random.default_rng(seed)


def predict_proba(rng, X):
    return rng.dirichlet(np.ones(5), len(X))
