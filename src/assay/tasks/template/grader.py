"""Trusted: makes the data, keeps the truth, grades what came back. Never inside the sandbox."""

import numpy as np

from assay.tasks.expect import numbers
from assay.tasks.grader import Grade

SECRET = {"val": 4472137, "test": 9013751}
"""Choose numbers of your own: whoever knows them can draw your test data."""
CURVES, POINTS, PLACES = 4, 60, 200
NOISE = 0.3


def prepare(split, seed):
    """What the candidate may have. The same names, types and shapes on val and test."""
    x, y, x_eval, _ = _draw(split, seed)
    return {"x": x, "y": y, "x_eval": x_eval, "seed": seed}


def grade(outputs, split, seed):
    """Metrics from plain arrays; `numbers` refuses what is missing, misshapen or not finite."""
    values = numbers(outputs, "values", (CURVES, PLACES))
    _, _, _, truth = _draw(split, seed)
    errors = np.sqrt(np.mean((values - truth) ** 2, axis=1))
    return Grade({"rmse": float(errors.mean())}, {"rmse": float(errors.std(ddof=1) / np.sqrt(CURVES))})


def _draw(split, seed):
    """Curves and places are fixed by the secret of the split; the noise on the points is drawn by the seed."""
    fixed = np.random.default_rng(SECRET[split])
    height, slope = fixed.uniform(0.8, 1.2, (CURVES, 1)), fixed.uniform(0.5, 0.7, (CURVES, 1))
    pace, phase = fixed.uniform(1.8, 2.2, (CURVES, 1)), fixed.uniform(0, 6, (CURVES, 1))
    x, x_eval = fixed.uniform(-3, 3, (CURVES, POINTS)), fixed.uniform(-3, 3, (CURVES, PLACES))

    def curve(at):
        return height * np.sin(pace * at + phase) + slope * at

    noise = NOISE * np.random.default_rng([SECRET[split], seed]).normal(size=x.shape)
    return x, curve(x) + noise, x_eval, curve(x_eval)
