"""Doubly robust scores from cross-fitted outcome and propensity models, smoothed by a regression with products of covariates."""

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LogisticRegression, RidgeCV
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler


def prioritise(X, treatment, y, X_eval, seed):
    scores = np.zeros(len(y))
    for part, rest in KFold(3, shuffle=True, random_state=seed).split(X):
        chance = LogisticRegression().fit(X[part], treatment[part]).predict_proba(X[rest])[:, 1].clip(0.05, 0.95)
        predicted = []
        for arm in (0, 1):
            rows = part[treatment[part] == arm]
            model = GradientBoostingRegressor(n_estimators=100, max_depth=3, subsample=0.7, random_state=seed)
            predicted.append(model.fit(X[rows], y[rows]).predict(X[rest]))
        t = treatment[rest]
        residual = y[rest] - np.where(t == 1, predicted[1], predicted[0])
        scores[rest] = predicted[1] - predicted[0] + residual * (t / chance - (1 - t) / (1 - chance))
    smooth = make_pipeline(PolynomialFeatures(2), StandardScaler(), RidgeCV(np.logspace(1, 4, 7)))
    return smooth.fit(X, np.clip(scores, -10, 10)).predict(X_eval)
