"""Runs beside the candidate: hands it the source styles and the images of an unseen one."""

import numpy as np


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    domains = [(inputs[f"X{k}"], inputs[f"y{k}"]) for k in range(3)]
    return {"classes": np.asarray(algorithm.fit_predict(domains, inputs["X_eval"], inputs["seed"]))}
