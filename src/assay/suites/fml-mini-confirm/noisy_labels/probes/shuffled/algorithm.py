"""Learn from labels of which about two in five are wrong.

Interface
  fit_predict(X, y, X_eval, seed) -> (rows,) classes 0 … 9
    X, y    (1078, 64) noisy pixels and classes, many of them wrong
    X_eval  (359, 64) images to classify

Probe: the baseline trained on shuffled labels.
"""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier

HIDDEN_UNITS = 64
EPOCHS = 60
LEARNING_RATE = 0.003
WEIGHT_DECAY = 0.0001
BATCH_SIZE = 100
EARLY_STOPPING = False

warnings.simplefilter("ignore", ConvergenceWarning)


def fit_predict(X, y, X_eval, seed):
    network = MLPClassifier(
        hidden_layer_sizes=(HIDDEN_UNITS,),
        alpha=WEIGHT_DECAY,
        batch_size=BATCH_SIZE,
        learning_rate_init=LEARNING_RATE,
        max_iter=EPOCHS,
        early_stopping=EARLY_STOPPING,
        random_state=seed,
    )
    return network.fit(X, np.random.default_rng(seed).permutation(y)).predict(X_eval)
