"""Labels drawn at random."""

import numpy as np


def fit_predict(X_labelled, y_labelled, X_unlabelled, X_eval, seed):
    return np.random.default_rng(seed).integers(0, 10, len(X_eval))
