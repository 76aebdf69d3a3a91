"""Runs beside the candidate: collects its features and its settings. There is no label here, and no training."""

import numpy as np


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    rows = inputs["X"]
    batches = np.split(rows, len(rows)) if inputs["one_by_one"] else [rows]
    features = np.concatenate([np.asarray(algorithm.features(batch), dtype=float) for batch in batches])
    return {"features": features, "config": algorithm.config()}
