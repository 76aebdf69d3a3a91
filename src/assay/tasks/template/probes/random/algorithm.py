"""Answers with numbers that have nothing to do with the points."""

import numpy as np


def fit_predict(x, y, x_eval, seed):
    return np.random.default_rng(seed).normal(size=len(x_eval))
