"""Soft distances to the centres of k-means: which prototypes an image is nearer to than usual."""

import numpy as np
from scipy.cluster.vq import kmeans2
from scipy.spatial.distance import cdist

CENTRES = 32
ITERATIONS = 30


def fit(X, seed):
    centres, _ = kmeans2(X, CENTRES, iter=ITERATIONS, minit="++", rng=seed)
    return centres


def encode(centres, X):
    distances = cdist(X, centres)
    return np.maximum(distances.mean(axis=1, keepdims=True) - distances, 0.0)
