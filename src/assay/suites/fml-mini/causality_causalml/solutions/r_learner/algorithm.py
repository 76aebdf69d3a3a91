"""R-learner: residuals of outcome and treatment by cross-fitting, then a sparse linear effect."""

import numpy as np
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LassoCV, LogisticRegression
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.preprocessing import StandardScaler


def estimate(X, treatment, y, X_eval, seed):
    folds = KFold(5, shuffle=True, random_state=seed)
    boosting = GradientBoostingRegressor(
        n_estimators=150, max_depth=3, learning_rate=0.06, subsample=0.6, max_features=0.5, random_state=seed
    )
    mean = cross_val_predict(boosting, X, y, cv=folds)
    logistic = LogisticRegression(C=0.1, max_iter=500)
    propensity = cross_val_predict(logistic, X, treatment, cv=folds, method="predict_proba")[:, 1].clip(0.05, 0.95)

    scaler = StandardScaler().fit(X)

    def terms(Z):
        return np.hstack([np.ones((len(Z), 1)), scaler.transform(Z)])

    leverage = (treatment - propensity)[:, None]
    lasso = LassoCV(cv=5, fit_intercept=False).fit(terms(X) * leverage, y - mean)
    return terms(X_eval) @ lasso.coef_
