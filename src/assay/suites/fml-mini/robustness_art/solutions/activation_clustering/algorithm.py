"""Activation clustering: in the hidden layer the poisoned rows of a class form a cluster of their own. Drop it and retrain."""

import warnings

import numpy as np
from scipy.cluster.vq import kmeans2
from sklearn.decomposition import PCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

COMPONENTS = 6

warnings.simplefilter("ignore", ConvergenceWarning)


def train_predict(X, y, X_eval, seed):
    network = MLPClassifier((64,), max_iter=60, random_state=seed).fit(X, y)
    activations = np.maximum(X @ network.coefs_[0] + network.intercepts_[0], 0.0)
    kept = np.ones(len(y), dtype=bool)
    for c in range(10):
        rows = np.flatnonzero(y == c)
        reduced = PCA(COMPONENTS, random_state=0).fit_transform(activations[rows])
        _, cluster = kmeans2(reduced, 2, minit="++", rng=seed)
        kept[rows[cluster == np.bincount(cluster, minlength=2).argmin()]] = False
    return MLPClassifier((64,), max_iter=60, alpha=0.1, random_state=seed).fit(X[kept], y[kept]).predict(X_eval)
