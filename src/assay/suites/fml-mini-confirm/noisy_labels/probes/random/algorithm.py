"""Probe: classes by chance alone."""

import numpy as np


def fit_predict(X, y, X_eval, seed):
    return np.random.default_rng(seed).integers(10, size=len(X_eval))
