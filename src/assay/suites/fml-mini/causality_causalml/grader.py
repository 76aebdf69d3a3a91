"""Trusted side: five studies with known individual effects, each handed to a process of its own."""

import numpy as np

from assay.tasks.expect import numbers
from assay.tasks.grader import Grade

SECRET = {"val": 614287, "test": 295403}
STUDIES = 5
TRAIN, EVAL = 700, 300


def conduct(perform, split, seed):
    """One process for each study: the effect function is the same in all of them, so pooled rows would be a leak."""
    answers = [perform(_study(split, seed, number)[0]) for number in range(STUDIES)]
    return {number: numbers(answer, "effect", (EVAL,)) for number, answer in enumerate(answers)}


def grade(outputs, split, seed):
    errors, squares, biases = [], [], []
    for number in range(STUDIES):
        effect, truth = outputs[number], _study(split, seed, number)[1]
        errors.append(np.abs(effect - truth).mean())
        squares.append(np.square(effect - truth).mean())
        biases.append(abs(effect.mean() - truth.mean()) / abs(truth.mean()))
    metrics = {
        "mae_mean": float(np.mean(errors)),
        "mse_mean": float(np.mean(squares)),
        "abs_pct_error_of_ate_mean": float(np.mean(biases)),
    }
    return Grade(metrics, {"mae_mean": float(np.std(errors, ddof=1) / np.sqrt(STUDIES))})


def _study(split, seed, number):
    """Inputs and true effects. People are fixed by the secret; who is treated and how it ends is drawn by the seed."""
    people = np.random.default_rng([SECRET[split], number])
    rows = TRAIN + EVAL
    # a common part for the correlation: factoring the covariance would leave the data to the machine's linear algebra
    continuous = np.sqrt(0.3) * people.normal(size=(rows, 1)) + np.sqrt(0.7) * people.normal(size=(rows, 6))
    binary = (people.random((rows, 19)) < np.linspace(0.25, 0.75, 19)).astype(float)
    c, b = continuous.T, binary.T
    logit = -0.8 + 0.8 * c[0] - 0.5 * c[1] + 0.6 * b[0] - 0.6 * b[1]
    propensity = np.clip(1 / (1 + np.exp(-logit)), 0.05, 0.95)
    control = 1.5 * np.sin(1.5 * c[0]) + 0.8 * c[1] ** 2 + b[0] + 0.7 * c[2] * b[2]
    effect = 2 + c[0] - c[3] + b[1] + 0.6 * np.maximum(c[4], 0)

    chance = np.random.default_rng([SECRET[split], number, seed])
    treatment = (chance.random(rows) < propensity).astype(np.int64)
    outcome = control + treatment * effect + chance.normal(size=rows)
    X = np.hstack([continuous, binary])
    inputs = {
        "X": X[:TRAIN],
        "treatment": treatment[:TRAIN],
        "y": outcome[:TRAIN],
        "X_eval": X[TRAIN:],
        "seed": seed * STUDIES + number,
    }
    return inputs, effect[TRAIN:]
