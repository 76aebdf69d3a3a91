"""Centred rows of norm 1: every row has the same influence, clipping costs little, and large steps with decay suffice."""

import numpy as np


def features(X):
    centred = X - 0.3
    return centred / np.linalg.norm(centred, axis=1, keepdims=True)


def config():
    return {
        "steps": 100,
        "clip": 0.5,
        "learning_rate": 10.0,
        "decay": "linear",
        "momentum": 0.5,
        "average_from": 1.0,
        "l2": 0.0,
    }
