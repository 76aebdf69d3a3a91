"""Poison of class c comes from one other class: drop the rows that a mixture of two Gaussians splits off from their class.

In pixels the trigger shifts all poisoned rows of a class in the same way, and their digit is another one; the larger component is kept.
"""

import numpy as np
from sklearn.decomposition import PCA
from sklearn.mixture import GaussianMixture
from sklearn.svm import SVC

COMPONENTS = 8


def train_predict(X, y, X_eval, seed):
    kept = np.ones(len(y), dtype=bool)
    for c in range(10):
        rows = np.flatnonzero(y == c)
        reduced = PCA(COMPONENTS, random_state=0).fit_transform(X[rows])
        part = GaussianMixture(2, covariance_type="tied", n_init=3, random_state=0).fit_predict(reduced)
        kept[rows[part == np.bincount(part, minlength=2).argmin()]] = False
    return SVC(C=5.0).fit(X[kept], y[kept]).predict(X_eval)
