"""The first class, always."""

import numpy as np


def learn(state, memory_X, memory_y, X, y, seed):
    return {}, []


def predict(state, memory_X, memory_y, X):
    return np.zeros(len(X), dtype=int)
