"""Probe: the most frequent label for every image."""

import numpy as np


def fit_predict(X, y, X_eval, seed):
    return np.full(len(X_eval), np.bincount(y).argmax())
