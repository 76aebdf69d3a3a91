"""Runs beside the candidate: hands it labelled rows of one population and unlabelled rows of another."""

import numpy as np


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    answers = algorithm.fit_predict_proba(inputs["X"], inputs["y"], inputs["X_eval"], inputs["seed"])
    return {"probabilities": np.asarray(answers)}
