"""Make a network forget some facts as if it had never seen them, and keep the others.

Interface
  unlearn(weights, forget_X, forget_y, retain_X, retain_y, seed) -> weights of the same shapes
    weights     [W1, b1, W2, b2]: logits = relu(X @ W1 + b1) @ W2 + b2 over 60 values
    *_X         one row a question: 8 latent numbers of the entity, relation (20, one-hot), entity (120, one-hot)
    *_y         the true value, 0 … 59

Matching what is plausible: for every relation the answers about forgotten entities move to that relation's frequencies among the kept
entities, while a strong retain loss holds the rest.
"""

import numpy as np
from scipy.special import softmax

EPOCHS = 60
BATCH_SIZE = 60
LEARNING_RATE = 0.003
RETAIN_WEIGHT = 2.0
RETAIN_BATCH = 200
PRIOR = 0.3


def frequencies(X, y):
    """For each relation, how often each value is the answer."""
    counts = X[:, 8:28].T @ np.eye(60)[y] + PRIOR
    return counts / counts.sum(axis=1, keepdims=True)


def forward(weights, X):
    hidden = np.maximum(X @ weights[0] + weights[1], 0.0)
    return hidden, softmax(hidden @ weights[2] + weights[3], axis=1)


def backward(weights, X, hidden, by_logits):
    by_logits = by_logits / len(X)
    inner = (by_logits @ weights[2].T) * (hidden > 0)
    return [X.T @ inner, inner.sum(axis=0), hidden.T @ by_logits, by_logits.sum(axis=0)]


def unlearn(weights, forget_X, forget_y, retain_X, retain_y, seed):
    rng = np.random.default_rng(seed)
    weights = [w.copy() for w in weights]
    target = forget_X[:, 8:28] @ frequencies(retain_X, retain_y)
    first = [np.zeros_like(w) for w in weights]
    second = [np.zeros_like(w) for w in weights]
    step = 0
    for _ in range(EPOCHS):
        order = rng.permutation(len(forget_y))
        for start in range(0, len(order), BATCH_SIZE):
            step += 1
            forget = order[start : start + BATCH_SIZE]
            hidden, probabilities = forward(weights, forget_X[forget])
            matching = backward(weights, forget_X[forget], hidden, probabilities - target[forget])
            retain = rng.choice(len(retain_y), RETAIN_BATCH, replace=False)
            hidden, probabilities = forward(weights, retain_X[retain])
            descent = backward(weights, retain_X[retain], hidden, probabilities - np.eye(60)[retain_y[retain]])
            for k in range(4):
                gradient = matching[k] + RETAIN_WEIGHT * descent[k]
                first[k] = 0.9 * first[k] + 0.1 * gradient
                second[k] = 0.999 * second[k] + 0.001 * gradient**2
                rate = LEARNING_RATE * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
                weights[k] -= rate * first[k] / (np.sqrt(second[k]) + 1e-8)
    return weights
