"""Synaptic intelligence: one network for all contexts, which holds on to the weights that mattered before.

Interface
    learn(state, X, y, seed) -> state    called once a context, each time in a new process
        state  dict of arrays, empty at the first context; what is returned is all that survives, in half precision
        X, y   (rows, 64) noisy pixels and (rows,) digits: the two classes of this context and nothing else
    predict(state, X) -> labels          called at the end, on rows of all ten classes; each row answered by itself
"""

import numpy as np

HIDDEN = 64
CLASSES = 10
STEPS = 300
BATCH = 64
LEARNING_RATE = 1e-3
STRENGTH = 1.0  # how firmly earlier contexts hold on to their weights
DAMPING = 0.1
INITIAL_SEED = 0
OTHER_CLASSES = 1.0  # how much a batch pushes down the outputs of classes it does not hold


def learn(state, X, y, seed):
    rng = np.random.default_rng(seed)
    weights, importance, anchor = unpack(state)
    start = [w.copy() for w in weights]
    path = [np.zeros_like(w) for w in weights]
    mean = [np.zeros_like(w) for w in weights]
    square = [np.zeros_like(w) for w in weights]
    present = np.isin(np.arange(CLASSES), y)
    for step in range(1, STEPS + 1):
        rows = rng.integers(len(X), size=BATCH)
        gradient = loss_gradient(weights, X[rows], y[rows], present)
        for k, g in enumerate(gradient):
            total = g + 2 * STRENGTH * importance[k] * (weights[k] - anchor[k])
            mean[k] = 0.9 * mean[k] + 0.1 * total
            square[k] = 0.999 * square[k] + 0.001 * total**2
            update = LEARNING_RATE * mean[k] / (1 - 0.9**step) / (np.sqrt(square[k] / (1 - 0.999**step)) + 1e-8)
            weights[k] -= update
            path[k] += g * update
    for k in range(len(weights)):
        importance[k] += np.maximum(path[k], 0) / ((weights[k] - start[k]) ** 2 + DAMPING)
    return pack(weights, importance)


def predict(state, X):
    weights, _, _ = unpack(state)
    return outputs(weights, X)[1].argmax(axis=1)


def initial_weights():
    rng = np.random.default_rng(INITIAL_SEED)
    return [
        rng.normal(size=(64, HIDDEN)) * np.sqrt(2 / 64),
        np.zeros(HIDDEN),
        rng.normal(size=(HIDDEN, CLASSES)) * np.sqrt(1 / HIDDEN),
        np.zeros(CLASSES),
    ]


def unpack(state):
    """Weights, their importance, and the values they are held to."""
    if not state:
        weights = initial_weights()
        return weights, [np.zeros_like(w) for w in weights], [w.copy() for w in weights]
    weights = [state[f"w{k}"].astype(float) for k in range(4)]
    return weights, [state[f"i{k}"].astype(float) for k in range(4)], [w.copy() for w in weights]


def pack(weights, importance):
    named = {f"w{k}": w for k, w in enumerate(weights)}
    return named | {f"i{k}": i for k, i in enumerate(importance)}


def outputs(weights, X):
    hidden = np.maximum(X @ weights[0] + weights[1], 0)
    return hidden, hidden @ weights[2] + weights[3]


def loss_gradient(weights, X, y, present):
    """Gradient of the mean cross-entropy of a batch."""
    hidden, logits = outputs(weights, X)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True)) * np.where(present, 1.0, OTHER_CLASSES)
    error = odds / odds.sum(axis=1, keepdims=True)
    error[np.arange(len(y)), y] -= 1
    error /= len(y)
    back = (error @ weights[2].T) * (hidden > 0)
    return [X.T @ back, back.sum(axis=0), hidden.T @ error, error.sum(axis=0)]
