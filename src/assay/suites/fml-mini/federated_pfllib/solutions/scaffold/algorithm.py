"""SCAFFOLD: control variates take the pull of a client's own classes out of its local steps.

A client remembers its own mean slope; the server shares the mean over all clients, which it reads off the uploads:
weights less upload, divided by learning rate and number of steps, is the slope of a round. All clients take the same
number of steps, so that this division is the same for all.
"""

import numpy as np

LEARNING_RATE = 0.3
STEPS = 30
BATCH = 16


def gradients(weights, X, y):
    hidden = np.maximum(X @ weights["W1"] + weights["b1"], 0)
    logits = hidden @ weights["W2"] + weights["b2"]
    error = np.exp(logits - logits.max(axis=1, keepdims=True))
    error /= error.sum(axis=1, keepdims=True)
    error[np.arange(len(y)), y] -= 1
    error /= len(y)
    back = (error @ weights["W2"].T) * (hidden > 0)
    return {"W1": X.T @ back, "b1": back.sum(axis=0), "W2": hidden.T @ error, "b2": error.sum(axis=0)}


def client_update(weights, X, y, state, shared, round, seed):
    rng = np.random.default_rng(seed)
    zero = {name: np.zeros_like(value) for name, value in weights.items()}
    own, everyone = state or zero, shared or zero
    local = dict(weights)
    for _ in range(STEPS):
        rows = rng.integers(0, len(y), BATCH)
        for name, slope in gradients(local, X[rows], y[rows]).items():
            local[name] = local[name] - LEARNING_RATE * (slope - own[name] + everyone[name])
    slopes = {}
    for name, value in weights.items():
        slopes[name] = own[name] - everyone[name] + (value - local[name]) / (STEPS * LEARNING_RATE)
    return local, slopes


def server_update(weights, uploads, sizes, state, round):
    merged = {name: np.mean([upload[name] for upload in uploads], axis=0) for name in weights}
    slopes = {name: (weights[name] - merged[name]) / (STEPS * LEARNING_RATE) for name in weights}
    return merged, slopes
