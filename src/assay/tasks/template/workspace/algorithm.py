"""Ridge regression on the powers of x, of which the start uses only the first: a straight line.

Interface: fit_predict(x, y, x_eval, seed) -> values at x_eval
"""

import numpy as np

DEGREE = 1
RIDGE = 1e-3


def fit_predict(x, y, x_eval, seed):
    powers = design(x)
    weights = np.linalg.solve(powers.T @ powers + RIDGE * np.eye(DEGREE + 1), powers.T @ y)
    return design(x_eval) @ weights


def design(x):
    """Columns 1, x, x², ... of x scaled to [-1, 1]."""
    return np.vander(x / 3, DEGREE + 1, increasing=True)
