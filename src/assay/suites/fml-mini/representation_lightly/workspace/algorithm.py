"""Learn features of images without labels.

Interface
  fit(X, seed)      X: (rows, 64) pixels in [0, 1], no labels  ->  any state
  encode(state, X)  -> (rows, k) numbers, k at most 32

Baseline: a contrastive encoder (InfoNCE). Two disturbed copies of an image should lie close together, copies of different images far
apart. The encoder is one hidden layer; gradients are written out.
"""

import numpy as np

HIDDEN_UNITS = 96
OUTPUTS = 32
STEPS = 100
BATCH_SIZE = 128
LEARNING_RATE = 0.01
TEMPERATURE = 0.2
NOISE = 0.1
BRIGHTNESS = 0.3
MAX_SHIFT = 0


def augment(X, rng):
    """A disturbed copy: shifted by up to MAX_SHIFT pixels, brightness changed, noise added."""
    images = X.reshape(-1, 8, 8).copy()
    for k, (down, right) in enumerate(rng.integers(-MAX_SHIFT, MAX_SHIFT + 1, (len(X), 2))):
        images[k] = np.roll(images[k], (down, right), axis=(0, 1))
    images *= rng.uniform(1 - BRIGHTNESS, 1 + BRIGHTNESS, (len(X), 1, 1))
    return images.reshape(len(X), -1) + rng.normal(0.0, NOISE, X.shape)


def forward(weights, X):
    hidden = np.maximum(X @ weights[0] + weights[1], 0.0)
    outputs = hidden @ weights[2]
    lengths = np.linalg.norm(outputs, axis=1, keepdims=True) + 1e-9
    return hidden, outputs / lengths, lengths


def backward(weights, X, hidden, unit, lengths, gradient):
    gradient = (gradient - unit * (gradient * unit).sum(axis=1, keepdims=True)) / lengths
    inner = (gradient @ weights[2].T) * (hidden > 0)
    return [X.T @ inner, inner.sum(axis=0), hidden.T @ gradient]


def softmax(S, axis):
    S = np.exp(S - S.max(axis=axis, keepdims=True))
    return S / S.sum(axis=axis, keepdims=True)


def fit(X, seed):
    rng = np.random.default_rng(seed)
    weights = [
        rng.normal(0.0, np.sqrt(2 / X.shape[1]), (X.shape[1], HIDDEN_UNITS)),
        np.zeros(HIDDEN_UNITS),
        rng.normal(0.0, np.sqrt(1 / HIDDEN_UNITS), (HIDDEN_UNITS, OUTPUTS)),
    ]
    first = [np.zeros_like(w) for w in weights]
    second = [np.zeros_like(w) for w in weights]
    for step in range(1, STEPS + 1):
        batch = X[rng.choice(len(X), BATCH_SIZE, replace=False)]
        A, B = augment(batch, rng), augment(batch, rng)
        a, b = forward(weights, A), forward(weights, B)
        similarity = a[1] @ b[1].T / TEMPERATURE
        G = (softmax(similarity, 1) + softmax(similarity, 0) - 2 * np.eye(len(batch))) / (2 * TEMPERATURE * len(batch))
        gradients = zip(backward(weights, A, *a, G @ b[1]), backward(weights, B, *b, G.T @ a[1]))
        for k, (ga, gb) in enumerate(gradients):
            first[k] = 0.9 * first[k] + 0.1 * (ga + gb)
            second[k] = 0.999 * second[k] + 0.001 * (ga + gb) ** 2
            rate = LEARNING_RATE * np.sqrt(1 - 0.999**step) / (1 - 0.9**step)
            weights[k] = weights[k] - rate * first[k] / (np.sqrt(second[k]) + 1e-8)
    return weights


def encode(weights, X):
    return forward(weights, X)[1]
