"""Nearest prototype, with the labels of the support rows in a random order."""

import numpy as np


def prepare(base_X, base_y, seed):
    return np.random.default_rng(seed)


def classify(state, support_X, support_y, query_X):
    distance = ((query_X[:, None, :] - support_X[None]) ** 2).sum(axis=-1)
    return state.permutation(support_y)[distance.argmin(axis=1)]
