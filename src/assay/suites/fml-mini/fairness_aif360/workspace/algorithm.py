"""Decisions about people, with equal error rates for two groups: logistic regression as a start.

`fit_predict(X, y, s, X_eval, s_eval, seed)` gets features, favourable (1) or unfavourable (0) labels and the sensitive
attribute (1 = privileged group), and returns a label for every row of `X_eval`. The last column of `X` is the sensitive
attribute itself; the four before it are a code.
"""

import numpy as np
from sklearn.linear_model import LogisticRegression

STRENGTH = 1.0  # inverse of the penalty
DROP = 0  # how many of the last columns the model does not see
THRESHOLD = 0.5
PRIVILEGED_THRESHOLD = 0.5
BALANCE = 0.0  # 0: every row counts the same; 1: label and group look independent in the weighted rows


def weights(y, s):
    """Weights that take the dependence of label and group out of the data, to the power BALANCE."""
    weight = np.ones(len(y))
    for group in (0, 1):
        for label in (0, 1):
            rows = (s == group) & (y == label)
            expected = np.mean(s == group) * np.mean(y == label)
            weight[rows] = (expected / np.mean(rows)) ** BALANCE
    return weight


def fit_predict(X, y, s, X_eval, s_eval, seed):
    used = X.shape[1] - DROP
    model = LogisticRegression(C=STRENGTH, max_iter=500)
    model.fit(X[:, :used], y, sample_weight=weights(y, s))
    probability = model.predict_proba(X_eval[:, :used])[:, 1]
    threshold = np.where(s_eval == 1, PRIVILEGED_THRESHOLD, THRESHOLD)
    return (probability > threshold).astype(int)
