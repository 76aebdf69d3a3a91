"""A local line at every place: near points count, far ones hardly."""

import numpy as np

WIDTH = 0.3


def fit_predict(x, y, x_eval, seed):
    return np.array([local_line(x - place, y) for place in x_eval])


def local_line(offset, y):
    weights = np.exp(-0.5 * (offset / WIDTH) ** 2)
    columns = np.column_stack([np.ones_like(offset), offset]) * weights[:, None]
    gram = columns.T @ np.column_stack([np.ones_like(offset), offset]) + 1e-6 * np.eye(2)
    return np.linalg.solve(gram, columns.T @ y)[0]
