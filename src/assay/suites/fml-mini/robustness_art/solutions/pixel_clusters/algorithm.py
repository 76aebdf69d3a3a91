"""Poison of class c comes from one other class: drop the smaller of two clusters that its rows form in pixels.

The trigger shifts all poisoned rows of a class in the same way, and the digit under it is another one.
"""

import numpy as np
from scipy.cluster.vq import kmeans, vq
from sklearn.decomposition import PCA
from sklearn.svm import SVC

COMPONENTS = 8
RESTARTS = 10


def train_predict(X, y, X_eval, seed):
    kept = np.ones(len(y), dtype=bool)
    for c in range(10):
        rows = np.flatnonzero(y == c)
        reduced = PCA(COMPONENTS, random_state=seed).fit_transform(X[rows])
        centres, _ = kmeans(reduced, 2, iter=RESTARTS, rng=seed)
        part, _ = vq(reduced, centres)
        kept[rows[part == np.bincount(part, minlength=2).argmin()]] = False
    return SVC(C=5.0).fit(X[kept], y[kept]).predict(X_eval)
