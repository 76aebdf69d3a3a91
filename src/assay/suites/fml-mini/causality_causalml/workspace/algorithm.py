"""Estimating individual treatment effects: an S-learner.

`estimate(X, treatment, y, X_eval, seed)` gets a study (covariates, 0/1 treatment, outcome) and returns the effect of
the treatment for every row of `X_eval`, as a vector.

An S-learner fits one model of the outcome with the treatment among its features, and takes the effect of a person as
the difference between two predictions: treated and not treated.
"""

import numpy as np
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

PENALTY = 1.0
DEGREE = 1  # of the polynomial in the covariates
EFFECT_VARIES = False  # whether the treatment may interact with the covariates
TRIM = 0.0  # share of most extreme outcomes at either end that is left out


def design(X, treatment):
    """Covariates and treatment side by side, with their products if the effect may vary."""
    column = np.asarray(treatment, dtype=float)[:, None]
    parts = [X, column]
    if EFFECT_VARIES:
        parts.append(column * X)
    return np.hstack(parts)


def outcome_model():
    return make_pipeline(
        PolynomialFeatures(degree=DEGREE, interaction_only=False, include_bias=False),
        StandardScaler(),
        Ridge(alpha=PENALTY),
    )


def estimate(X, treatment, y, X_eval, seed):
    low, high = np.quantile(y, [TRIM, 1 - TRIM])
    keep = (y >= low) & (y <= high)
    model = outcome_model().fit(design(X[keep], treatment[keep]), y[keep])
    treated = model.predict(design(X_eval, np.ones(len(X_eval))))
    untreated = model.predict(design(X_eval, np.zeros(len(X_eval))))
    return treated - untreated
