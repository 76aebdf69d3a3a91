"""Momentum at the server and larger local steps: the mean change keeps its direction while clients pull apart."""

import numpy as np

LEARNING_RATE = 0.3
EPOCHS = 2
BATCH = 10
MOMENTUM = 0.6


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
    local = dict(weights)
    for _ in range(EPOCHS):
        order = rng.permutation(len(y))
        for start in range(0, len(y), BATCH):
            rows = order[start : start + BATCH]
            for name, slope in gradients(local, X[rows], y[rows]).items():
                local[name] = local[name] - LEARNING_RATE * slope
    return local, {}


def server_update(weights, uploads, sizes, state, round):
    merged, speeds = {}, {}
    for name, value in weights.items():
        change = np.average([upload[name] - value for upload in uploads], axis=0, weights=sizes)
        speeds[name] = MOMENTUM * state.get(name, 0.0) + change
        merged[name] = value + speeds[name]
    return merged, speeds
