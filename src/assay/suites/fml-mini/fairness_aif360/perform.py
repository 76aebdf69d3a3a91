"""Runs in the sandbox: one repetition, one call."""

import numpy as np


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    names = ("X", "y", "s", "X_eval", "s_eval", "seed")
    return {"labels": np.asarray(algorithm.fit_predict(*(inputs[name] for name in names)))}
