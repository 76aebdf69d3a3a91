"""The same regression with powers enough for the waves."""

import numpy as np

DEGREE = 9
RIDGE = 1e-3


def fit_predict(x, y, x_eval, seed):
    powers = design(x)
    weights = np.linalg.solve(powers.T @ powers + RIDGE * np.eye(DEGREE + 1), powers.T @ y)
    return design(x_eval) @ weights


def design(x):
    return np.vander(x / 3, DEGREE + 1, increasing=True)
