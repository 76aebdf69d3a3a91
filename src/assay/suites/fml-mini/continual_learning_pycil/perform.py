"""Runs in the sandbox: one stage of learning, or one round of predictions."""

import numpy as np


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    state = {name[6:]: value for name, value in inputs.items() if name.startswith("state_")}
    memory = inputs["memory_X"], inputs["memory_y"]
    if inputs["task"] == "predict":
        return {"labels": np.asarray(algorithm.predict(state, *memory, inputs["X"]))}
    state, keep = algorithm.learn(state, *memory, inputs["X"], inputs["y"], inputs["seed"])
    arrays = {f"state_{name}": np.asarray(value) for name, value in state.items()}
    return {**arrays, "keep": np.asarray(keep, dtype=np.int64)}
