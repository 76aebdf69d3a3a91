"""Runs in the sandbox: one study, one call."""

import numpy as np


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    effect = algorithm.estimate(inputs["X"], inputs["treatment"], inputs["y"], inputs["X_eval"], inputs["seed"])
    return {"effect": np.asarray(effect, dtype=float)}
