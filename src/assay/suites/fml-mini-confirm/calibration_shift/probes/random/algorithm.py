"""Probe: probabilities by chance alone."""

import numpy as np


def fit_predict_proba(X, y, X_eval, seed):
    return np.random.default_rng(seed).dirichlet(np.ones(3), len(X_eval))
