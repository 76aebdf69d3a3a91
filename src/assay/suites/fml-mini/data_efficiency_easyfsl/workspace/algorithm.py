"""Few-shot classification of feature vectors: nearest prototype.

`prepare(base_X, base_y, seed)` sees many rows of known classes and returns whatever `classify` shall know.
`classify(state, support_X, support_y, query_X)` gets one row of each of five new classes and returns, for every query,
the label of the class it belongs to. All queries of an episode come together.
"""

import numpy as np

POWER = 1.0  # exponent applied to the features, which are positive
CENTRE = 0.0  # how much of the base mean is taken away: 0 nothing, 1 all of it
WHITEN = 0.0  # how far within-class directions are evened out: 0 not at all, 1 fully
RIDGE = 0.1  # added to the within-class covariance, as a share of its mean variance
ROUNDS = 0  # how often the prototypes are moved towards the queries near them
SHARPNESS = 10.0  # how clearly a query belongs to its nearest prototype, when they are moved
NORMALISE = True


def embed(state, X):
    Z = (np.power(X, POWER) - CENTRE * state["mean"]) @ state["map"]
    if NORMALISE:
        Z = Z / (np.linalg.norm(Z, axis=1, keepdims=True) + 1e-9)
    return Z


def prepare(base_X, base_y, seed):
    """Mean and whitening map of the base classes."""
    Z = np.power(base_X, POWER)
    means = np.stack([Z[base_y == c].mean(axis=0) for c in np.unique(base_y)])
    residual = Z - means[np.searchsorted(np.unique(base_y), base_y)]
    covariance = np.cov(residual.T)
    covariance += RIDGE * np.trace(covariance) / len(covariance) * np.eye(len(covariance))
    variances, directions = np.linalg.eigh(covariance)
    return {"mean": Z.mean(axis=0), "map": directions * variances ** (-WHITEN / 2)}


def distances(query, prototypes):
    return ((query[:, None, :] - prototypes[None]) ** 2).sum(axis=-1)


def classify(state, support_X, support_y, query_X):
    support, query = embed(state, support_X), embed(state, query_X)
    prototypes = support
    for _ in range(ROUNDS):
        distance = distances(query, prototypes)
        share = np.exp(-SHARPNESS * (distance - distance.min(axis=1, keepdims=True)))
        share /= share.sum(axis=1, keepdims=True)
        prototypes = (support + share.T @ query) / (1 + share.sum(axis=0)[:, None])
    return support_y[distances(query, prototypes).argmin(axis=1)]
