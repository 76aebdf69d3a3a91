"""Answers the same whatever it sees."""

import numpy as np


def fit_predict(x, y, x_eval, seed):
    return np.zeros(len(x_eval))
