"""Answers the same whatever it sees."""

import numpy as np


def learn(state, X, y, seed):
    return {"nothing": np.zeros(1)}


def predict(state, X):
    return np.zeros(len(X), dtype=int)
