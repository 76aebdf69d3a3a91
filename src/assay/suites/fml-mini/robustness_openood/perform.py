"""Runs beside the candidate: fits it once and collects its scores and classes."""

import numpy as np


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    state = algorithm.fit(inputs["X"], inputs["y"], inputs["seed"])
    rows = inputs["X_eval"]
    batches = np.split(rows, len(rows)) if inputs["one_by_one"] else [rows]
    return {
        "scores": np.concatenate([np.asarray(algorithm.score(state, batch)) for batch in batches]),
        "classes": np.concatenate([np.asarray(algorithm.predict(state, batch)) for batch in batches]),
    }
