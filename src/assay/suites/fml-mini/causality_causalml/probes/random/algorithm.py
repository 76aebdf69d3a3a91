"""Effects drawn from a normal distribution."""

import numpy as np


def estimate(X, treatment, y, X_eval, seed):
    return np.random.default_rng(seed).normal(size=len(X_eval))
