"""Distance to the nearest training rows in the space of the leading principal components."""

from sklearn.decomposition import PCA
from sklearn.neighbors import NearestNeighbors
from sklearn.svm import SVC

COMPONENTS = 25
NEIGHBOURS = 5


def fit(X, y, seed):
    pca = PCA(n_components=COMPONENTS, random_state=seed).fit(X)
    Z = pca.transform(X)
    return pca, NearestNeighbors(n_neighbors=NEIGHBOURS).fit(Z), SVC(C=5.0).fit(Z, y)


def score(state, X):
    pca, neighbours, _ = state
    distances, _ = neighbours.kneighbors(pca.transform(X))
    return -distances.mean(axis=1)


def predict(state, X):
    pca, _, classifier = state
    return classifier.predict(pca.transform(X))
