"""Probe: class frequencies for everybody."""

import numpy as np


def fit_predict_proba(X, y, X_eval, seed):
    return np.tile(np.bincount(y, minlength=3) / len(y), (len(X_eval), 1))
