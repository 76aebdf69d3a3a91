"""Reweighing: rows are weighted so that label and group are independent, and the model does not see the group."""

import numpy as np
from sklearn.linear_model import LogisticRegression


def fit_predict(X, y, s, X_eval, s_eval, seed):
    weight = np.ones(len(y))
    for group in (0, 1):
        for label in (0, 1):
            rows = (s == group) & (y == label)
            weight[rows] = np.mean(s == group) * np.mean(y == label) / np.mean(rows)
    model = LogisticRegression(max_iter=500).fit(X[:, :-1], y, sample_weight=weight)
    return model.predict(X_eval[:, :-1])
