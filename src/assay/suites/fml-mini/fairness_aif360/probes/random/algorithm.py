"""A coin for everybody, tossed by the row itself so that the same row gets the same answer."""

import numpy as np


def fit_predict(X, y, s, X_eval, s_eval, seed):
    weight = np.random.default_rng(seed).random(X.shape[1])
    return (np.floor(1e6 * np.round(X_eval @ weight, 6)) % 2).astype(int)
