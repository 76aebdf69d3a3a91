"""Runs beside the candidate: trains it once and collects its class probabilities."""

import numpy as np


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    state = algorithm.train(inputs["X"], inputs["y"], inputs["seed"])
    return {"probabilities": np.asarray(algorithm.predict_proba(state, inputs["X_eval"]))}
