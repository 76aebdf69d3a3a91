"""X-learner: each group's outcomes are compared with what a model of the other group predicts, then regressed linearly."""

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, RidgeCV


def prioritise(X, treatment, y, X_eval, seed):
    arms = [treatment == 0, treatment == 1]
    models = [GradientBoostingRegressor(subsample=0.7, random_state=seed).fit(X[arm], y[arm]) for arm in arms]
    effects = [models[1].predict(X[arms[0]]) - y[arms[0]], y[arms[1]] - models[0].predict(X[arms[1]])]
    answers = [RidgeCV(np.logspace(0, 3, 7)).fit(X[arm], effect).predict(X_eval) for arm, effect in zip(arms, effects)]
    chance = LogisticRegression().fit(X, treatment).predict_proba(X_eval)[:, 1]
    return chance * answers[0] + (1 - chance) * answers[1]
