"""Causal discovery: NOTEARS.

`discover(X, seed)` gets standardised observations, rows by variables, and returns a 0/1 matrix whose entry (i, j) says
that variable i is a direct cause of variable j. The graph must have no cycle.

NOTEARS regresses every variable on all others by least squares with an l1 penalty, under a smooth constraint that is
zero exactly for acyclic weights; an augmented Lagrangian enforces it. Edges are the weights above a threshold.
With DEGREE = 1 it is the linear method; higher degrees offer powers of the causes too.
"""

import numpy as np
from scipy.linalg import expm
from scipy.optimize import minimize

DEGREE = 1
L1 = 0.05
THRESHOLD = 0.3
ROUNDS = 12  # of the augmented Lagrangian
PENALTY_GROWTH = 10.0
TOLERANCE = 1e-6  # of the acyclicity constraint
ITERATIONS = 100  # of the optimiser in one round


def powers(X):
    """For each variable its first DEGREE powers, made orthogonal; variables by rows by powers."""
    columns = []
    for x in X.T:
        basis = np.stack([x**k for k in range(DEGREE + 1)], axis=1)
        orthogonal, _ = np.linalg.qr(basis)
        columns.append(orthogonal[:, 1:] * np.sqrt(len(X)))
    return np.stack(columns)


def acyclicity(strength):
    """Value and gradient of the constraint: zero if and only if the squared weights have no cycle."""
    E = expm(strength)
    return np.trace(E) - len(strength), E.T


def notears(X):
    """How strongly each variable acts on each other one."""
    rows, d = X.shape
    causes = powers(X).transpose(1, 0, 2).reshape(rows, -1)
    among, across = causes.T @ causes / rows, causes.T @ X / rows
    shape = (d, causes.shape[1] // d, d)
    size = d * d * shape[1]
    free = np.broadcast_to(~np.eye(d, dtype=bool)[:, None, :], shape).ravel()
    bounds = [(0, None) if f else (0, 0) for f in free] * 2

    def objective(w, penalty, multiplier):
        W = (w[:size] - w[size:]).reshape(-1, d)
        fitted = among @ W
        loss = 0.5 * np.sum(W * fitted) - np.sum(W * across)
        h, slope = acyclicity((W.reshape(shape) ** 2).sum(axis=1))
        value = loss + 0.5 * penalty * h * h + multiplier * h + L1 * w.sum()
        bend = 2 * (penalty * h + multiplier) * slope[:, None, :] * W.reshape(shape)
        gradient = (fitted - across).ravel() + bend.ravel()
        return value, np.concatenate([gradient + L1, -gradient + L1])

    w, penalty, multiplier = np.zeros(2 * size), 1.0, 0.0
    for _ in range(ROUNDS):
        options = {"maxiter": ITERATIONS}
        w = minimize(objective, w, (penalty, multiplier), "L-BFGS-B", jac=True, bounds=bounds, options=options).x
        strength = ((w[:size] - w[size:]).reshape(shape) ** 2).sum(axis=1)
        h, _ = acyclicity(strength)
        if h < TOLERANCE:
            break
        multiplier += penalty * h
        penalty *= PENALTY_GROWTH
    return np.sqrt(strength)


def without_cycles(strength):
    """The edges above the threshold, strongest first, leaving out any that would close a cycle."""
    d = len(strength)
    graph = np.zeros((d, d), dtype=int)
    reach = np.eye(d, dtype=bool)  # reach[i, j]: there is a path from i to j
    for i, j in sorted(np.ndindex(d, d), key=lambda edge: -strength[edge]):
        if strength[i, j] > THRESHOLD and not reach[j, i]:
            graph[i, j] = 1
            reach |= np.outer(reach[:, i], reach[j])
    return graph


def discover(X, seed):
    return without_cycles(notears(X))
