"""Centred pixels, larger steps, and the average of the later iterates, in which much of the noise cancels."""

import numpy as np


def features(X):
    return np.column_stack([X - 0.3, np.full(len(X), 0.5)])


def config():
    return {
        "steps": 200,
        "clip": 2.0,
        "learning_rate": 0.5,
        "decay": "constant",
        "momentum": 0.0,
        "average_from": 0.4,
        "l2": 0.0,
    }
