"""Self-distillation: the final model learns from what models say about rows they were not trained on, never from labels."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Ridge
from sklearn.model_selection import StratifiedKFold
from sklearn.neural_network import MLPClassifier

FOLDS = 8
FLOOR = 0.02

warnings.simplefilter("ignore", ConvergenceWarning)


def train(X, y, seed):
    soft = np.zeros((len(y), 5))
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=seed)
    for part, held_out in folds.split(X, y):
        teacher = MLPClassifier((64,), alpha=3.0, learning_rate_init=0.002, max_iter=30, random_state=seed)
        soft[held_out] = teacher.fit(X[part], y[part]).predict_proba(X[held_out])
    logits = np.log(soft + FLOOR)
    return Ridge(alpha=10.0).fit(X, logits - logits.mean(axis=1, keepdims=True))


def predict_proba(student, X):
    logits = student.predict(X)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)
