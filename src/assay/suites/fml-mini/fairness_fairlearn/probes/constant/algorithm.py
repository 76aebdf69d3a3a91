"""Answers the same whatever it sees: perfect parity, no use."""

import numpy as np


def fit_predict(X, y, group, X_eval, group_eval, seed):
    return np.zeros(len(X_eval), dtype=int)
