"""Throws a coin for every row; the coin is a function of the row alone, so that it answers a row the same again."""

import numpy as np


def fit_predict(X, y, group, X_eval, group_eval, seed):
    coin = np.random.default_rng(seed).normal(size=X_eval.shape[1])
    return (np.floor(X_eval @ coin * 997) % 2).astype(int)
