"""Runs beside the candidate: fits its encoder to unlabelled images and collects the embedding."""

import numpy as np


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    state = algorithm.fit(inputs["X"], inputs["seed"])
    return {"embedding": np.asarray(algorithm.encode(state, inputs["X"]), dtype=float)}
