"""Order the variables by the score function, then prune parents by spline regression.

In a model with additive Gaussian noise the second derivative of the log density with respect to a leaf is constant. A
Stein estimator gives these derivatives at every row; the variable where they vary least is taken away as a leaf, again
and again.
"""

import numpy as np
from scipy.stats import f as f_distribution

RIDGE = 1e-3
KNOTS = 5
LEVEL = 1e-3


def curvature(X):
    """The diagonal of the Hessian of the log density at every row."""
    difference = X[:, None, :] - X[None, :, :]
    square = (difference**2).sum(axis=-1)
    width = np.median(np.sqrt(square))
    kernel = np.exp(-square / (2 * width**2))
    regular = kernel + RIDGE * np.eye(len(X))
    first = np.einsum("kij,ik->kj", -difference, kernel) / width**2
    second = np.einsum("kij,ik->kj", difference**2 / width**4 - 1 / width**2, kernel)
    gradient = np.linalg.solve(regular, first)
    return np.linalg.solve(regular, second) - gradient**2


def causal_order(X):
    left, order = list(range(X.shape[1])), []
    while len(left) > 1:
        order.append(left.pop(int(np.argmin(curvature(X[:, left]).var(axis=0)))))
    return (order + left)[::-1]


def spline(x):
    knots = np.quantile(x, np.linspace(0, 1, KNOTS + 2)[1:-1])
    basis = np.column_stack([x, x**2, x**3, *[np.maximum(x - k, 0) ** 3 for k in knots]])
    return (basis - basis.mean(axis=0)) / (basis.std(axis=0) + 1e-9)


def residual(bases, y):
    """Sum of squared residuals of an additive model, and its number of terms."""
    if not bases:
        return y @ y, 0
    B = np.hstack(bases)
    coefficients = np.linalg.solve(B.T @ B + 1e-2 * np.eye(B.shape[1]), B.T @ y)
    return np.sum((y - B @ coefficients) ** 2), B.shape[1]


def parents(X, bases, node, earlier):
    """Backward elimination: drop the least significant cause until all that are left are significant."""
    kept = list(earlier)
    while kept:
        full, terms = residual([bases[j] for j in kept], X[:, node])
        worst, weakest = -1.0, None
        for j in kept:
            less, fewer = residual([bases[i] for i in kept if i != j], X[:, node])
            ratio = ((less - full) / (terms - fewer)) / (full / (len(X) - terms - 1))
            p = f_distribution.sf(ratio, terms - fewer, len(X) - terms - 1)
            if p > worst:
                worst, weakest = p, j
        if worst <= LEVEL:
            break
        kept.remove(weakest)
    return kept


def discover(X, seed):
    order, bases = causal_order(X), [spline(x) for x in X.T]
    graph = np.zeros((X.shape[1],) * 2, dtype=int)
    for position, node in enumerate(order):
        graph[parents(X, bases, node, order[:position]), node] = 1
    return graph
