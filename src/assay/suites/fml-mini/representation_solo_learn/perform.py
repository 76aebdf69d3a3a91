"""Runs beside the candidate: trains the encoder once, asking the candidate for the gradients, and returns those gradients."""

import numpy as np


def perform(candidate, inputs):
    algorithm = candidate.load("algorithm.py")
    training = candidate.load("training.py")
    config = algorithm.config()
    record = []

    def output_gradients(step, z1, z2):
        _, *gradients = algorithm.loss_and_grad(z1, z2)
        # rounded before use, so that the grader's repetition sees the same numbers
        record.append(np.asarray(gradients, dtype=np.float32))
        return record[-1].astype(float)

    training.train((inputs["view1"], inputs["view2"]), config, inputs["seed"], output_gradients)
    return {"config": config, "gradients": np.array(record)}
