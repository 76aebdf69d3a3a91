"""Probe: a network drawn at random."""

import numpy as np


def unlearn(weights, forget_X, forget_y, retain_X, retain_y, seed):
    rng = np.random.default_rng(seed)
    return [rng.normal(0.0, w.std() + 1e-3, w.shape) for w in weights]
