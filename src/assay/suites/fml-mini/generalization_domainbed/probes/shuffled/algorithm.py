"""A sound learner on labels that were shuffled: nothing is left to learn."""

import numpy as np
from sklearn.linear_model import LogisticRegression


def fit_predict(environments, X_eval, seed):
    rng = np.random.default_rng(seed)
    X = np.concatenate([X.reshape(len(X), -1) for X, _ in environments])
    y = rng.permutation(np.concatenate([y for _, y in environments]))
    return LogisticRegression(max_iter=200).fit(X, y).predict(X_eval.reshape(len(X_eval), -1))
