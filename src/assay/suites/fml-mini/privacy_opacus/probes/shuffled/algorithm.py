"""Probe: the pixels of every row in an order of its own, which destroys what they say. There are no labels to shuffle."""

import numpy as np


def features(X):
    shuffled = [np.random.default_rng(int(1e6 * np.abs(row).sum())).permutation(row) for row in X]
    return np.column_stack([np.array(shuffled), np.ones(len(X))])


def config():
    return {
        "steps": 200,
        "clip": 1.0,
        "learning_rate": 0.1,
        "decay": "constant",
        "momentum": 0.0,
        "average_from": 1.0,
        "l2": 0.0,
    }
