"""What graders ask of outputs before they compute anything: names, shapes, kinds, finite numbers.

Outputs come from a hostile process, so nothing about them is taken for granted. Functions raise InvalidOutput with a
sentence that an agent can act on; only `same_answers` raises Tampering.
"""

from typing import Any

import numpy as np

from assay.tasks.grader import InvalidOutput, Tampering
from assay.tasks.payload import Payload

Array = np.ndarray[Any, Any]


def numbers(outputs: Payload, name: str, shape: tuple[int | None, ...]) -> Array:
    """An array of finite numbers as float64. None in `shape` stands for any length."""
    value = outputs.get(name)
    if not isinstance(value, np.ndarray):
        raise InvalidOutput(f"'{name}' is missing or is not an array of numbers")
    fits = value.ndim == len(shape) and all(want in (None, got) for want, got in zip(shape, value.shape, strict=True))
    if not fits:
        wanted = ", ".join("any" if n is None else str(n) for n in shape)
        raise InvalidOutput(f"'{name}' has shape {value.shape}, expected ({wanted})")
    value = value.astype(np.float64)
    if not np.isfinite(value).all():
        raise InvalidOutput(f"'{name}' holds values that are not finite numbers")
    return value


def labels(outputs: Payload, name: str, rows: int, classes: int) -> Array:
    """One whole number of 0 … classes − 1 for each row, as int64."""
    value = numbers(outputs, name, (rows,))
    whole = value.astype(np.int64)
    if (whole != value).any() or (whole < 0).any() or (whole >= classes).any():
        raise InvalidOutput(f"'{name}' must hold class labels 0 … {classes - 1}")
    return whole


def probabilities(outputs: Payload, name: str, rows: int, classes: int) -> Array:
    """One distribution over the classes for each row; sums may be off by rounding and are made exactly 1."""
    value = numbers(outputs, name, (rows, classes))
    total = value.sum(axis=1, keepdims=True)
    if (value < 0).any() or (np.abs(total - 1) > 1e-3).any():
        raise InvalidOutput(f"each row of '{name}' must be probabilities that sum to 1")
    distributions: Array = value / total
    return distributions


def same_answers(first: Array, again: Array) -> None:
    """Raises Tampering unless rows were answered alike in two processes that saw different companions.

    Rounding is forgiven, because a matrix product of one row and of many rows may differ in the last digits.
    """
    scale = float(np.abs(first).max(initial=0.0))
    if not np.allclose(first, again, rtol=1e-6, atol=1e-9 * scale):
        raise Tampering("the answer for a row changes with the other rows of the batch; answer each row on its own")
