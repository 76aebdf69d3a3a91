"""Runs one process's requests, or none, so that the cost of an empty process is known. Beside the candidate."""

import resource

import numpy as np

WEIGHTS = ("embedding", "position", "readout", "query", "key", "value", "output", "up", "down")


def perform(candidate, inputs):
    # for good, and before the candidate's first line: no thread, no child whose CPU time would be nobody's
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    if inputs["idle"]:
        return {}
    generate = candidate.load("decoder.py").generate
    answers = {}
    for number in range(inputs["requests"]):
        weights = {name: inputs[f"{name}{number}"] for name in WEIGHTS}
        tokens = generate(inputs[f"prompts{number}"], weights, inputs["heads"], inputs["new_tokens"])
        answers[f"tokens{number}"] = np.asarray(tokens)
    return answers
