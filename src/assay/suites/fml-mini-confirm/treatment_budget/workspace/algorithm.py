"""Who should be treated, when there is treatment for three people in ten?

Interface
  prioritise(X, treatment, y, X_eval, seed) -> (500,) numbers; the highest positive ones are treated
    X, treatment, y  (1000, 12) covariates, 0 or 1, and outcome (larger is better) of a study in which doctors chose whom to treat
    X_eval           (500, 12) covariates of the people who wait

Baseline: a T-learner. One tree is grown on the treated and one on the others; the difference of their predictions is the priority.
"""

from sklearn.tree import DecisionTreeRegressor

MAX_DEPTH = 4
MIN_LEAF = 5


def outcome_model(seed):
    return DecisionTreeRegressor(max_depth=MAX_DEPTH, min_samples_leaf=MIN_LEAF, random_state=seed)


def prioritise(X, treatment, y, X_eval, seed):
    treated = outcome_model(seed).fit(X[treatment == 1], y[treatment == 1])
    others = outcome_model(seed).fit(X[treatment == 0], y[treatment == 0])
    return treated.predict(X_eval) - others.predict(X_eval)
