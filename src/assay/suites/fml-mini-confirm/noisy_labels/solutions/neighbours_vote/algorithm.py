"""Labels are corrected by the vote of many neighbours among the leading components, then a smooth classifier is trained on them."""

from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import SVC

COMPONENTS = 25
NEIGHBOURS = 25


def fit_predict(X, y, X_eval, seed):
    pca = PCA(COMPONENTS, random_state=seed).fit(X)
    Z = pca.transform(X)
    voted = KNeighborsClassifier(NEIGHBOURS, weights="distance", algorithm="brute").fit(Z, y)
    # a row must not vote for itself: its own distance of 0 would outweigh everybody
    near = voted.kneighbors(Z, NEIGHBOURS + 1, return_distance=False)[:, 1:]
    corrected = [max(range(10), key=lambda c, row=row: (y[row] == c).sum()) for row in near]
    return SVC(C=2.0).fit(Z, corrected).predict(pca.transform(X_eval))
