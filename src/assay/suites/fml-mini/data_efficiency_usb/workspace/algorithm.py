"""Semi-supervised classification of small images: logistic regression with confident pseudo-labels.

`fit_predict(X_labelled, y_labelled, X_unlabelled, X_eval, seed)` gets 8 x 8 images as rows of 64 pixels, two labelled
ones of each of ten classes and many without labels, and returns a label for every row of `X_eval`.

In every round the model labels the unlabelled images, and those it is sure of join the training set of the next round.
"""

import numpy as np
from sklearn.linear_model import LogisticRegression

THRESHOLD = 0.95  # how sure the model must be of a pseudo-label
ROUNDS = 5
STRENGTH = 1.0  # inverse of the penalty
PSEUDO_WEIGHT = 1.0  # weight of a pseudo-labelled image beside a labelled one
ALIGN = True  # whether guesses are evened out, so that all classes are guessed equally often on average


def model():
    return LogisticRegression(C=STRENGTH, max_iter=300, tol=1e-4)


def fit_predict(X_labelled, y_labelled, X_unlabelled, X_eval, seed):
    fitted = model().fit(X_labelled, y_labelled)
    for _ in range(ROUNDS):
        probability = fitted.predict_proba(X_unlabelled)
        if ALIGN:
            probability = probability / probability.mean(axis=0)
            probability = probability / probability.sum(axis=1, keepdims=True)
        sure = probability.max(axis=1) > THRESHOLD
        guesses = fitted.classes_[probability[sure].argmax(axis=1)]
        X = np.vstack([X_labelled, X_unlabelled[sure]])
        y = np.concatenate([y_labelled, guesses])
        weight = np.concatenate([np.ones(len(y_labelled)), np.full(len(guesses), PSEUDO_WEIGHT)])
        fitted = model().fit(X, y, sample_weight=weight)
    return fitted.predict(X_eval)
