"""The favourable answer for everybody: perfectly even, and useless."""

import numpy as np


def fit_predict(X, y, s, X_eval, s_eval, seed):
    return np.ones(len(X_eval), dtype=int)
