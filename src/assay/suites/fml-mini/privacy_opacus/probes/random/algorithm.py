"""Probe: features that depend on the row by chance alone."""

import numpy as np


def features(X):
    weights = np.random.default_rng(0).normal(size=(64, 65))
    return np.sin(1e4 * np.einsum("nd,dk->nk", X, weights))


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
