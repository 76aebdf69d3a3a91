"""Runs beside the candidate: hands it poisoned training data and rows to classify."""

import numpy as np


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    return {"classes": np.asarray(algorithm.train_predict(inputs["X"], inputs["y"], inputs["X_eval"], inputs["seed"]))}
