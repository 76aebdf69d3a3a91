"""The class of the first labelled image, always."""

import numpy as np


def fit_predict(X_labelled, y_labelled, X_unlabelled, X_eval, seed):
    return np.full(len(X_eval), y_labelled[0])
