"""Probe: the same features for every row."""

import numpy as np


def features(X):
    return np.ones((len(X), 65))


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
