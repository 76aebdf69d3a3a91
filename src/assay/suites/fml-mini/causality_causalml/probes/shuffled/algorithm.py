"""A ridge S-learner with interactions, fitted to outcomes in a random order."""

import numpy as np
from sklearn.linear_model import Ridge


def estimate(X, treatment, y, X_eval, seed):
    y = np.random.default_rng(seed).permutation(y)

    def design(Z, t):
        return np.hstack([Z, t[:, None], t[:, None] * Z])

    model = Ridge(alpha=1.0).fit(design(X, treatment), y)
    ones, zeros = np.ones(len(X_eval)), np.zeros(len(X_eval))
    return model.predict(design(X_eval, ones)) - model.predict(design(X_eval, zeros))
