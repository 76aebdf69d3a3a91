"""Tell inputs of known classes from inputs of classes never seen in training.

Interface
  fit(X, y, seed)    X: (n, 64) pixels, y: (n,) classes 0 … 5  ->  any state
  score(state, X)    -> (rows,) numbers, larger means "more likely a known class"
  predict(state, X)  -> (rows,) classes 0 … 5

Probe: the baseline trained on shuffled labels.
"""

import warnings

import numpy as np
from scipy.special import softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

HIDDEN_UNITS = 16
EPOCHS = 25
LEARNING_RATE = 0.003
WEIGHT_DECAY = 0.0001
BATCH_SIZE = 64
TEMPERATURE = 1.0

warnings.simplefilter("ignore", ConvergenceWarning)


def fit(X, y, seed):
    y = np.random.default_rng(seed).permutation(y)
    network = MLPClassifier(
        hidden_layer_sizes=(HIDDEN_UNITS,),
        activation="relu",
        alpha=WEIGHT_DECAY,
        batch_size=BATCH_SIZE,
        learning_rate_init=LEARNING_RATE,
        max_iter=EPOCHS,
        random_state=seed,
    )
    return network.fit(X, y)


def score(network, X):
    logits = np.log(network.predict_proba(X) + 1e-12)
    return softmax(logits / TEMPERATURE, axis=1).max(axis=1)


def predict(network, X):
    return network.predict(X)
