"""Train a classifier that does not betray which rows it was trained on.

Interface
  train(X, y, seed)        X: (600, 30), y: (600,) classes 0 … 4  ->  any state
  predict_proba(state, X)  -> (rows, 5) class probabilities; each row sums to 1

Probe: the baseline trained on shuffled labels.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

HIDDEN_UNITS = 128
EPOCHS = 120
LEARNING_RATE = 0.002
WEIGHT_DECAY = 0.001
EARLY_STOPPING = False
TEMPERATURE = 1.0

warnings.simplefilter("ignore", ConvergenceWarning)


def train(X, y, seed):
    network = MLPClassifier(
        hidden_layer_sizes=(HIDDEN_UNITS,),
        alpha=WEIGHT_DECAY,
        learning_rate_init=LEARNING_RATE,
        max_iter=EPOCHS,
        early_stopping=EARLY_STOPPING,
        random_state=seed,
    )
    return network.fit(X, np.random.default_rng(seed).permutation(y))


def predict_proba(network, X):
    tempered = network.predict_proba(X) ** (1.0 / TEMPERATURE)
    return tempered / np.sum(tempered, axis=1, keepdims=True)
