"""Probe: the most frequent class for every image."""

import numpy as np


def fit_predict(domains, X_eval, seed):
    labels = np.concatenate([y for _, y in domains])
    return np.full(len(X_eval), np.bincount(labels).argmax())
