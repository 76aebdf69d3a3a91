"""Confidence of an ensemble of regularised networks, lowered by the distance to the nearest training rows."""

import warnings

import numpy as np
from scipy.spatial import KDTree
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

MEMBERS = 4
NEIGHBOURS = 5
DISTANCE_WEIGHT = 3.0

warnings.simplefilter("ignore", ConvergenceWarning)


def fit(X, y, seed):
    networks = [
        MLPClassifier((64,), alpha=1.0, learning_rate_init=0.003, max_iter=40, random_state=(seed + k) % 2**31).fit(
            X, y
        )
        for k in range(MEMBERS)
    ]
    return networks, KDTree(X)


def _probabilities(networks, X):
    return np.mean([network.predict_proba(X) for network in networks], axis=0)


def score(state, X):
    networks, tree = state
    distances, _ = tree.query(X, NEIGHBOURS)
    return np.log(_probabilities(networks, X).max(axis=1)) - DISTANCE_WEIGHT * distances.mean(axis=1)


def predict(state, X):
    return _probabilities(state[0], X).argmax(axis=1)
