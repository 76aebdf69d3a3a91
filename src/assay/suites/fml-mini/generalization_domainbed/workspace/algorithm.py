"""Pooled empirical risk minimisation: one small network trained on the rows of all environments alike.

Interface: fit_predict(environments, X_eval, seed) -> labels
    environments  list of two pairs (X, y): X (rows, 2, 8, 8) in [0, 1], one channel a colour; y (rows,) of 0 and 1
    X_eval        (rows, 2, 8, 8), from environments that were not seen in training
    labels        (rows,) of 0 and 1; each row answered by itself
"""

import numpy as np

HIDDEN = 64
STEPS = 400
BATCH = 256
LEARNING_RATE = 3e-3
WEIGHT_DECAY = 0.0
RISK_PENALTY = 0.0  # weight of the squared difference between the environments' risks


def fit_predict(environments, X_eval, seed):
    rng = np.random.default_rng(seed)
    data = [(features(X), y) for X, y in environments]
    weights = initial_weights(data[0][0].shape[1], rng)
    optimiser = Adam(weights)
    for _ in range(STEPS):
        batches = [rng.integers(len(y), size=BATCH) for _, y in data]
        risks, gradients = zip(*(risk_and_gradient(weights, X[b], y[b]) for (X, y), b in zip(data, batches)))
        step = [sum(parts) for parts in zip(*(scaled(g, s) for g, s in zip(gradients, shares(risks))))]
        optimiser.update(weights, [g + WEIGHT_DECAY * w for g, w in zip(step, weights)])
    return (scores(weights, features(X_eval)) > 0).astype(int)


def features(X):
    return X.reshape(len(X), -1).astype(float)


def shares(risks):
    """How much each environment's gradient counts: the derivative of mean risk + penalty, kept bounded."""
    mean = np.mean(risks)
    raw = [1 / len(risks) + RISK_PENALTY * (risk - mean) for risk in risks]
    return [value / max(1.0, RISK_PENALTY / 10) for value in raw]


def scaled(gradient, factor):
    return [factor * part for part in gradient]


def initial_weights(inputs, rng):
    return [
        rng.normal(size=(inputs, HIDDEN)) * np.sqrt(2 / inputs),
        np.zeros(HIDDEN),
        rng.normal(size=HIDDEN) * np.sqrt(1 / HIDDEN),
        np.zeros(1),
    ]


def scores(weights, X):
    return np.maximum(X @ weights[0] + weights[1], 0) @ weights[2] + weights[3]


def risk_and_gradient(weights, X, y):
    """Mean logistic loss of a batch and its gradient."""
    hidden = np.maximum(X @ weights[0] + weights[1], 0)
    score = hidden @ weights[2] + weights[3]
    probability = 1 / (1 + np.exp(-np.clip(score, -30, 30)))
    risk = -np.mean(y * np.log(probability + 1e-9) + (1 - y) * np.log(1 - probability + 1e-9))
    error = (probability - y) / len(y)
    back = np.outer(error, weights[2]) * (hidden > 0)
    return risk, [X.T @ back, back.sum(axis=0), hidden.T @ error, np.array([error.sum()])]


class Adam:
    def __init__(self, weights, beta1=0.9, beta2=0.999):
        self.beta1, self.beta2, self.time = beta1, beta2, 0
        self.mean = [np.zeros_like(w) for w in weights]
        self.square = [np.zeros_like(w) for w in weights]

    def update(self, weights, gradient):
        self.time += 1
        for k, g in enumerate(gradient):
            self.mean[k] = self.beta1 * self.mean[k] + (1 - self.beta1) * g
            self.square[k] = self.beta2 * self.square[k] + (1 - self.beta2) * g**2
            mean = self.mean[k] / (1 - self.beta1**self.time)
            square = self.square[k] / (1 - self.beta2**self.time)
            weights[k] -= LEARNING_RATE * mean / (np.sqrt(square) + 1e-8)
