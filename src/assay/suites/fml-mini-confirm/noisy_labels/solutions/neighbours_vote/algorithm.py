"""Labels are corrected by the vote of many neighbours among the leading components, then a smooth classifier is trained on them."""

import numpy as np
from scipy.spatial import KDTree
from sklearn.decomposition import PCA
from sklearn.svm import SVC

COMPONENTS = 25
NEIGHBOURS = 25


def fit_predict(X, y, X_eval, seed):
    pca = PCA(COMPONENTS, random_state=seed).fit(X)
    Z = pca.transform(X)
    # the nearest row is the row itself, which must not vote
    near = KDTree(Z).query(Z, NEIGHBOURS + 1)[1][:, 1:]
    votes = np.eye(10)[y][near].sum(axis=1)
    return SVC(C=2.0).fit(Z, votes.argmax(axis=1)).predict(pca.transform(X_eval))
