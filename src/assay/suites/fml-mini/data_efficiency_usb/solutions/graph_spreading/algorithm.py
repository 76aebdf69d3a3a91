"""Labels spread over the graph of nearest neighbours among all images, with equally large classes."""

import numpy as np

NEIGHBOURS = 7
REACH = 0.99  # how far labels travel, below 1
CLASSES = 10


def affinity(X):
    """Symmetric weights of neighbours; every image has its own scale."""
    length = (X**2).sum(axis=1)
    square = np.maximum(length[:, None] + length - 2 * X @ X.T, 0)
    np.fill_diagonal(square, np.inf)
    neighbour = np.argsort(square, axis=1)[:, :NEIGHBOURS]
    square = np.take_along_axis(square, neighbour, axis=1)
    width = np.sqrt(square[:, -1])
    W = np.zeros((len(X), len(X)))
    rows = np.arange(len(X))[:, None]
    W[rows, neighbour] = np.exp(-4 * square / (width[:, None] * width[neighbour]))
    return np.maximum(W, W.T)


def fit_predict(X_labelled, y_labelled, X_unlabelled, X_eval, seed):
    X = np.vstack([X_labelled, X_unlabelled, X_eval])
    W = affinity(X)
    root = np.sqrt(W.sum(axis=1))
    start = np.zeros((len(X), CLASSES))
    start[np.arange(len(y_labelled)), y_labelled] = 1
    share = np.linalg.solve(np.eye(len(X)) - REACH * W / np.outer(root, root), start).clip(1e-12)
    for _ in range(20):
        share = share / share.sum(axis=0)
        share = share / share.sum(axis=1, keepdims=True)
    return share[-len(X_eval) :].argmax(axis=1)
