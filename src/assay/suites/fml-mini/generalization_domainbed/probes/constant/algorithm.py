"""Answers the same whatever it sees."""

import numpy as np


def fit_predict(environments, X_eval, seed):
    return np.ones(len(X_eval), dtype=int)
