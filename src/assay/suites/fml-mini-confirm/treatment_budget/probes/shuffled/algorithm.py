"""Who should be treated, when there is treatment for three people in ten?

Interface
  prioritise(X, treatment, y, X_eval, seed) -> (500,) numbers; the highest positive ones are treated
    X, treatment, y  (1000, 12) covariates, 0 or 1, and outcome (larger is better) of a study in which doctors chose whom to treat
    X_eval           (500, 12) covariates of the people who wait

Probe: the baseline with outcomes given to the wrong people.
"""

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor

TREES = 60
MAX_DEPTH = 3
MIN_LEAF = 5
LEARNING_RATE = 0.1
SUBSAMPLE = 1.0


def outcome_model(seed):
    return GradientBoostingRegressor(
        n_estimators=TREES,
        max_depth=MAX_DEPTH,
        min_samples_leaf=MIN_LEAF,
        learning_rate=LEARNING_RATE,
        subsample=SUBSAMPLE,
        random_state=seed,
    )


def prioritise(X, treatment, y, X_eval, seed):
    y = np.random.default_rng(seed).permutation(y)
    treated = outcome_model(seed).fit(X[treatment == 1], y[treatment == 1])
    others = outcome_model(seed).fit(X[treatment == 0], y[treatment == 0])
    return treated.predict(X_eval) - others.predict(X_eval)
