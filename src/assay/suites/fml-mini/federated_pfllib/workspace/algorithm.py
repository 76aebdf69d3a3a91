"""Federated learning of one small network over clients with very different data: federated averaging.

`client_update(weights, X, y, state, shared, round, seed)` runs at one client on its own rows and returns the weights to
upload and what this client shall remember for its next round (a dict of arrays, empty at first).
`server_update(weights, uploads, sizes, state, round)` turns the clients' uploads into the next weights and returns them
with the server's state, which the clients get as `shared` in the next round.

Weights are a dict: W1 (64 x 32), b1 (32), W2 (32 x 10), b2 (10), of a network with one hidden ReLU layer.
"""

import numpy as np

LEARNING_RATE = 0.05
EPOCHS = 1
BATCH = 10
PROXIMAL = 0.0  # how strongly a client is held near the weights it was sent
SERVER_RATE = 1.0  # how far the server goes along the mean change
SERVER_MOMENTUM = 0.0
BY_SIZE = True  # whether a client counts by its number of rows


def gradients(weights, X, y):
    """Of the mean cross-entropy."""
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
                slope = slope + PROXIMAL * (local[name] - weights[name])
                local[name] = local[name] - LEARNING_RATE * slope
    return local, {}


def server_update(weights, uploads, sizes, state, round):
    share = sizes / sizes.sum() if BY_SIZE else np.full(len(sizes), 1 / len(sizes))
    merged, speeds = {}, {}
    for name, value in weights.items():
        change = sum(s * (upload[name] - value) for s, upload in zip(share, uploads, strict=True))
        speeds[name] = SERVER_MOMENTUM * state.get(name, 0.0) + change
        merged[name] = value + SERVER_RATE * speeds[name]
    return merged, speeds
