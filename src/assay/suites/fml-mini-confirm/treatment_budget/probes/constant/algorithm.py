"""Probe: the same priority for everybody."""

import numpy as np


def prioritise(X, treatment, y, X_eval, seed):
    return np.ones(len(X_eval))
