"""Runs in the sandbox beside the candidate. It is visible to the candidate and holds no secret."""

import numpy as np


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    curves = zip(inputs["x"], inputs["y"], inputs["x_eval"], strict=True)
    return {"values": np.array([algorithm.fit_predict(x, y, x_eval, inputs["seed"]) for x, y, x_eval in curves])}
