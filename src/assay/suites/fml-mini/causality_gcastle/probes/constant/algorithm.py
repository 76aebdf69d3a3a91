"""No edge at all."""

import numpy as np


def discover(X, seed):
    return np.zeros((X.shape[1],) * 2, dtype=int)
