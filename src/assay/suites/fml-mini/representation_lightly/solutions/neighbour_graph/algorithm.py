"""Spectral embedding of the graph of nearest neighbours; rows are placed by the average of their neighbours."""

import numpy as np
from scipy.sparse.linalg import eigsh
from sklearn.neighbors import NearestNeighbors, kneighbors_graph

NEIGHBOURS = 8
DIMENSIONS = 16


def fit(X, seed):
    graph = kneighbors_graph(X, NEIGHBOURS)
    graph = graph.maximum(graph.T)
    scale = 1.0 / np.sqrt(np.asarray(graph.sum(axis=1)).ravel())
    start = np.random.default_rng(seed).normal(size=len(X))
    _, vectors = eigsh(graph.multiply(scale[:, None]).multiply(scale).tocsr(), DIMENSIONS + 1, which="LA", v0=start)
    embedding = vectors[:, :-1] * scale[:, None]
    return NearestNeighbors(n_neighbors=5).fit(X), embedding / embedding.std(axis=0)


def encode(state, X):
    neighbours, embedding = state
    _, near = neighbours.kneighbors(X)
    return embedding[near].mean(axis=1)
