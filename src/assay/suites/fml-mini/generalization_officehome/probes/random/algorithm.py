"""Probe: a class that depends on the image by chance alone."""

import numpy as np


def fit_predict(domains, X_eval, seed):
    weights = np.random.default_rng(seed).normal(size=X_eval.shape[1:])
    return (1e4 * np.abs(np.einsum("nij,ij->n", X_eval, weights))).astype(int) % 10
