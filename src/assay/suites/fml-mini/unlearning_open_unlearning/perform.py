"""Runs beside the candidate: hands it a model and the facts, and returns the model it gives back."""

import numpy as np


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    weights = [inputs[f"weights{k}"] for k in range(4)]
    facts = [inputs[name] for name in ("forget_X", "forget_y", "retain_X", "retain_y")]
    result = algorithm.unlearn(weights, *facts, inputs["seed"])
    return {f"weights{k}": np.asarray(w, dtype=float) for k, w in enumerate(result)}
