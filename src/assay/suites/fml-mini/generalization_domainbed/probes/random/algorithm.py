"""Throws a coin for every row; the coin is a function of the row alone, so that it answers a row the same again."""

import numpy as np


def fit_predict(environments, X_eval, seed):
    coin = np.random.default_rng(seed).normal(size=X_eval[0].size)
    values = X_eval.reshape(len(X_eval), -1).astype(float) @ coin
    return (np.floor(values * 997) % 2).astype(int)
