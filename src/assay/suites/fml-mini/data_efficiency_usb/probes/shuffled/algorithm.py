"""Nearest labelled image, with the labels in a random order."""

import numpy as np


def fit_predict(X_labelled, y_labelled, X_unlabelled, X_eval, seed):
    distance = ((X_eval[:, None, :] - X_labelled[None]) ** 2).sum(axis=-1)
    return np.random.default_rng(seed).permutation(y_labelled)[distance.argmin(axis=1)]
