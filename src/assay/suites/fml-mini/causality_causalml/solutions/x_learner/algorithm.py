"""X-learner: boosted outcome models, then ridge regression on the imputed effects of either arm."""

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler


def outcome(seed):
    return GradientBoostingRegressor(
        n_estimators=150, max_depth=3, learning_rate=0.06, subsample=0.6, max_features=0.5, random_state=seed
    )


def effect():
    return make_pipeline(StandardScaler(), RidgeCV(np.logspace(-1, 3, 13)))


def estimate(X, treatment, y, X_eval, seed):
    control, treated = treatment == 0, treatment == 1
    model_control = outcome(seed).fit(X[control], y[control])
    model_treated = outcome(seed).fit(X[treated], y[treated])
    from_treated = effect().fit(X[treated], y[treated] - model_control.predict(X[treated]))
    from_control = effect().fit(X[control], model_treated.predict(X[control]) - y[control])
    propensity = LogisticRegression(C=0.1, max_iter=500).fit(X, treatment).predict_proba(X_eval)[:, 1]
    return propensity * from_control.predict(X_eval) + (1 - propensity) * from_treated.predict(X_eval)
