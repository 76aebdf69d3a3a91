"""The first class of the episode, always."""

import numpy as np


def prepare(base_X, base_y, seed):
    return None


def classify(state, support_X, support_y, query_X):
    return np.full(len(query_X), support_y[0])
