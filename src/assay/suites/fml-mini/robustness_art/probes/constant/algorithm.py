"""Probe: the most frequent class for every row."""

import numpy as np


def train_predict(X, y, X_eval, seed):
    return np.full(len(X_eval), np.bincount(y).argmax())
