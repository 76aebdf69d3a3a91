"""A model with few parameters, and those shrunk: linear discriminant analysis with automatic shrinkage."""

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis


def train(X, y, seed):
    return LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto").fit(X, y)


def predict_proba(model, X):
    return model.predict_proba(X)
