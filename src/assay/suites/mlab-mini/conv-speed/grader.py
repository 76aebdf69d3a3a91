"""Trusted side of conv-speed: times the candidate beside the starter, from outside, and computes every layer itself."""

import numpy as np

from assay.tasks.expect import numbers
from assay.tasks.grader import Grade
from assay.tasks.timing import beside_starter, speed

SECRET = {"val": 47_190_263, "test": 80_356_519}

ROUNDS = 5
SHAPES = (
    # images, height and width, channels, size of the kernel, filters, stride, padding
    (1, 20, 48, 5, 32, 1, 2),
    (2, 24, 64, 5, 32, 2, 1),
    (3, 24, 32, 3, 24, 2, 2),
)
TOLERANCE = 1e-8
"""Largest difference of a value of a layer that is still rounding."""


def conduct(perform, split, seed):
    """Rounds on fresh layers, in which the candidate and the starter do the same work."""
    rounds = [beside_starter(perform, _draw(split, seed, number)) for number in range(ROUNDS)]
    answers = [[done.answers.get(f"maps{layer}") for layer in range(len(SHAPES))] for done in rounds]
    return {"answers": answers, "ratios": [done.ratio for done in rounds]}


def grade(outputs, split, seed):
    right = []
    for number in range(ROUNDS):
        inputs = _draw(split, seed, number)
        for layer, maps in enumerate(outputs["answers"][number]):
            truth = _convolved(
                *(inputs[f"{name}{layer}"] for name in ("images", "kernels", "bias", "stride", "padding"))
            )
            answer = numbers({"maps": maps}, "maps", truth.shape)
            right.append(np.abs(answer - truth).max() <= TOLERANCE)
    metrics, stderrs = speed(outputs["ratios"])
    return Grade({**metrics, "correct_share": float(np.mean(right))}, stderrs)


def _draw(split, seed, number):
    """The layers of one round."""
    rng = np.random.default_rng([SECRET[split], seed, number])
    inputs = {"layers": len(SHAPES)}
    for layer, (images, side, channels, size, filters, stride, padding) in enumerate(SHAPES):
        inputs[f"images{layer}"] = rng.normal(size=(images, side, side, channels))
        inputs[f"kernels{layer}"] = rng.normal(size=(size, size, channels, filters)) / np.sqrt(size * size * channels)
        inputs[f"bias{layer}"] = rng.normal(size=filters)
        inputs[f"stride{layer}"], inputs[f"padding{layer}"] = stride, padding
    return inputs


def _convolved(images, kernels, bias, stride, padding):
    """What a layer is, place by place of the kernel."""
    padded = np.pad(images, ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    size = len(kernels)
    rows, columns = ((length - size) // stride + 1 for length in padded.shape[1:3])
    total = np.zeros((len(images), rows, columns, len(bias)))
    for down in range(size):
        for across in range(size):
            seen = padded[:, down : down + stride * rows : stride, across : across + stride * columns : stride]
            total += np.einsum("nrcd,df->nrcf", seen[:, :rows, :columns], kernels[down, across])
    return np.maximum(total + bias, 0.0)
