"""Probabilities that can be trusted on another population than the one in training.

Interface
  fit_predict_proba(X, y, X_eval, seed) -> (rows, 3) class probabilities; each row sums to 1
    X, y    (800, 8) features and classes 0 … 2
    X_eval  (600, 8) features of people from another population, without classes

Probe: the baseline trained on shuffled classes.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

HIDDEN_UNITS = 128
EPOCHS = 80
LEARNING_RATE = 0.01
WEIGHT_DECAY = 0.0001
TEMPERATURE = 1.0
FLOOR = 0.001

warnings.simplefilter("ignore", ConvergenceWarning)


def fit_predict_proba(X, y, X_eval, seed):
    network = MLPClassifier(
        hidden_layer_sizes=(HIDDEN_UNITS,),
        alpha=WEIGHT_DECAY,
        learning_rate_init=LEARNING_RATE,
        max_iter=EPOCHS,
        early_stopping=False,
        random_state=seed,
    )
    network.fit(X, np.random.default_rng(seed).permutation(y))
    probabilities = network.predict_proba(X_eval) ** (1.0 / TEMPERATURE) + FLOOR
    return probabilities / probabilities.sum(axis=1, keepdims=True)
