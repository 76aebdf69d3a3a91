"""Trusted side of privacy_opacus: the grader itself trains with noise, so that the privacy budget cannot be edited.

The candidate declares a feature map, which must treat every row on its own, and the settings of the training. It never sees
a label and never touches the training.
"""

from functools import cache

import numpy as np
from scipy.special import softmax

from assay.tasks.digits import digits
from assay.tasks.expect import numbers, same_answers
from assay.tasks.grader import Grade, InvalidOutput

SECRET = {"rows": 283_940_177, "recheck": 719_206_331, "noise": 504_882_719}
EPSILON, DELTA = 2.0, 1e-4
TRAIN, ROWS, CLASSES = 1257, 270, 10
MAX_FEATURES, MAX_STEPS, LARGEST = 256, 400, 1e6
REPEATS = 5
RECHECKED = 180
DECAYS = {
    "constant": lambda progress: 1.0,
    "linear": lambda progress: 1.0 - progress,
    "cosine": lambda progress: 0.5 * (1.0 + np.cos(np.pi * progress)),
}
RANGES = {
    "clip": (1e-6, 1e6),
    "learning_rate": (0.0, 1e4),
    "momentum": (0.0, 0.999),
    "average_from": (0.0, 1.0),
    "l2": (0.0, 1e3),
}


def conduct(perform, split, seed):
    """Features of all rows, whatever the split; a tenth of them again, row by row and in another order."""
    images, _ = _rows()
    answers = perform({"X": images, "one_by_one": False})
    features = numbers(answers, "features", (len(images), None))
    if not 1 <= features.shape[1] <= MAX_FEATURES:
        raise InvalidOutput(f"features gave {features.shape[1]} columns; allowed are 1 … {MAX_FEATURES}")
    if np.abs(features).max() > LARGEST:
        raise InvalidOutput(f"features must lie within ±{LARGEST:g}")
    chosen = np.random.default_rng([SECRET["recheck"], seed]).permutation(len(images))[:RECHECKED]
    again = perform({"X": images[chosen], "one_by_one": True})
    same_answers(features[chosen], numbers(again, "features", (RECHECKED, features.shape[1])))
    return {"features": features, "config": answers.get("config")}


def grade(outputs, split, seed):
    _, truth = _rows()
    features = numbers(outputs, "features", (len(truth), None))
    weights = _train(features[:TRAIN], truth[:TRAIN], _checked(outputs["config"]), seed)
    start = TRAIN + (0 if split == "val" else ROWS)
    part = slice(start, start + ROWS)
    logits = np.einsum("nd,rdc->rnc", features[part], weights)
    values = (logits.argmax(axis=2) == truth[part]).mean(axis=1)
    return Grade(
        metrics={"test_acc_mean": float(values.mean())},
        stderrs={"test_acc_mean": float(values.std(ddof=1) / np.sqrt(REPEATS))},
    )


@cache
def _rows():
    """All digits in a secret order: training rows, then those of val, then those of test."""
    images, truth = digits()
    order = np.random.default_rng(SECRET["rows"]).permutation(len(truth))
    return images[order], truth[order]


def _checked(config):
    """The settings as numbers. Raises InvalidOutput for anything else."""
    if not isinstance(config, dict) or set(config) != {"steps", "decay", *RANGES}:
        raise InvalidOutput(f"config() must return exactly these keys: steps, decay, {', '.join(RANGES)}")
    if config["decay"] not in list(DECAYS):
        raise InvalidOutput(f"decay must be one of {', '.join(DECAYS)}")
    if type(config["steps"]) is not int or not 1 <= config["steps"] <= MAX_STEPS:
        raise InvalidOutput(f"steps must be a whole number 1 … {MAX_STEPS}")
    for name, (low, high) in RANGES.items():
        if type(config[name]) not in (int, float) or not low <= config[name] <= high:
            raise InvalidOutput(f"{name} must be a number {low:g} … {high:g}")
    return config


def _noise_multiplier(steps):
    """Noise over clip norm for which `steps` Gaussian releases are (EPSILON, DELTA) private, by zero-concentrated privacy."""
    rho = (np.sqrt(np.log(1 / DELTA) + EPSILON) - np.sqrt(np.log(1 / DELTA))) ** 2
    return np.sqrt(steps / (2 * rho))


def _train(features, truth, config, seed):
    """Softmax regression by noisy full-batch gradient descent, REPEATS times side by side: (repeats, features, classes)."""
    rows, columns = features.shape
    rng = np.random.default_rng([SECRET["noise"], seed])
    steps, clip = config["steps"], config["clip"]
    sd = _noise_multiplier(steps) * clip
    target = np.eye(CLASSES)[truth][:, None, :]
    row_norms = np.linalg.norm(features, axis=1)[:, None]
    weights = np.zeros((columns, REPEATS, CLASSES))
    velocity, total, counted = np.zeros_like(weights), np.zeros_like(weights), 0
    for step in range(steps):
        error = softmax((features @ weights.reshape(columns, -1)).reshape(rows, REPEATS, CLASSES), axis=2) - target
        # the gradient of one row is the outer product of its features and its error, so its norm is a product of norms
        norms = row_norms * np.linalg.norm(error, axis=2)
        error *= np.minimum(1.0, clip / np.maximum(norms, 1e-12))[:, :, None]
        gradient = (features.T @ error.reshape(rows, -1)).reshape(weights.shape)
        gradient += rng.normal(0.0, sd, weights.shape)
        velocity = config["momentum"] * velocity + gradient / rows + config["l2"] * weights
        weights = weights - config["learning_rate"] * DECAYS[config["decay"]](step / steps) * velocity
        # an absurd learning rate makes weights overflow; bounded weights keep every later number finite
        weights = np.clip(weights, -1e100, 1e100)
        if step + 1 > config["average_from"] * steps or step + 1 == steps:
            total, counted = total + weights, counted + 1
    return (total / counted).transpose(1, 0, 2)
