"""The fixed training of the encoder: 80 inputs -> 128 hidden units (ReLU) -> outputs, Adam, at most 300 steps.

You can read this file and cannot change it. Your process uses it to ask your loss for gradients; the grader then repeats the training
with the gradients you gave and its own copy of this file, and judges the encoder that comes out of that.
"""

import numpy as np

HIDDEN_UNITS = 128
DECAYS = {
    "constant": lambda progress: 1.0,
    "linear": lambda progress: 1.0 - progress,
    "cosine": lambda progress: 0.5 * (1.0 + np.cos(np.pi * progress)),
}


def hidden(weights, X):
    return np.maximum(X @ weights[0] + weights[1], 0.0)


def initial_weights(inputs, outputs, rng):
    return [
        rng.normal(0.0, np.sqrt(2 / inputs), (inputs, HIDDEN_UNITS)),
        np.zeros(HIDDEN_UNITS),
        rng.normal(0.0, np.sqrt(1 / HIDDEN_UNITS), (HIDDEN_UNITS, outputs)),
    ]


def train(views, config, seed, output_gradients):
    """Train on pairs of views; `output_gradients(step, z1, z2)` gives the gradients of the loss by the two outputs.

    views: two arrays (rows, 80) in which equal rows belong together. Returns the weights.
    """
    rng = np.random.default_rng(seed)
    weights = initial_weights(views[0].shape[1], config["outputs"], rng)
    first = [np.zeros_like(w) for w in weights]
    second = [np.zeros_like(w) for w in weights]
    for step in range(config["steps"]):
        rows = rng.choice(len(views[0]), config["batch_size"], replace=False)
        batch = [disturb(view[rows], config, rng) for view in views]
        inner = [hidden(weights, X) for X in batch]
        outer = output_gradients(step, *(H @ weights[2] for H in inner))
        gradients = [np.zeros_like(w) for w in weights]
        for X, H, G in zip(batch, inner, outer, strict=True):
            back = (G @ weights[2].T) * (H > 0)
            for gradient, part in zip(gradients, (X.T @ back, back.sum(axis=0), H.T @ G), strict=True):
                gradient += part
        rate = config["learning_rate"] * DECAYS[config["decay"]](step / config["steps"])
        rate *= np.sqrt(1 - 0.999 ** (step + 1)) / (1 - 0.9 ** (step + 1))
        for k, gradient in enumerate(gradients):
            first[k] = 0.9 * first[k] + 0.1 * gradient
            second[k] = 0.999 * second[k] + 0.001 * gradient**2
            weights[k] = weights[k] - rate * (
                first[k] / (np.sqrt(second[k]) + 1e-8) + config["weight_decay"] * weights[k]
            )
    return weights


def disturb(X, config, rng):
    """Further augmentation of a view: noise on every feature, and a share of the features set to 0."""
    kept = rng.random(X.shape) >= config["mask"]
    return (X + rng.normal(0.0, config["noise"], X.shape)) * kept
