"""Runs in the sandbox: one call for each data set."""

import numpy as np


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    graphs = [algorithm.discover(X, inputs["seed"]) for X in inputs["X"]]
    return {"graphs": np.stack([np.asarray(graph) for graph in graphs])}
