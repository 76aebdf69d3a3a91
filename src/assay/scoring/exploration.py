"""How far and how widely a run explored, from the embeddings of each step's code."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assay.embedding.base import Vectors

Floats = NDArray[np.float64]

SAME = 0.015
"""Cosine distance from which two groups of candidates are no longer one."""

ROUNDING = 1e-24
"""A variance below this share of the squared length is what rounding leaves of equal rows."""


@dataclass(frozen=True, slots=True)
class Exploration:
    """The four exploration metrics of one run. None means undefined: no step, or no baseline to measure from."""

    spread: float | None
    uniqueness: float | None
    reach: float | None
    effective_dimension: float | None


def explore(steps: Vectors, baseline: Vectors | None) -> Exploration:
    """`steps` has one row a step; `baseline` is the row of the baseline's code, or None if that code is not known."""
    if not len(steps):
        return Exploration(None, None, None, None)
    return Exploration(
        spread=spread(steps),
        uniqueness=clusters(steps) / len(steps),
        reach=reach(steps, baseline) if baseline is not None else None,
        effective_dimension=effective_dimension(steps),
    )


def spread(steps: Vectors) -> float:
    """Mean distance to the centroid, in single precision as it was published."""
    single = steps.astype(np.float32, copy=False)
    centroid = single.mean(axis=0, dtype=np.float32)
    return float(np.linalg.norm(single - centroid, axis=1).mean(dtype=np.float32))


def reach(steps: Vectors, baseline: Vectors) -> float:
    """Largest distance to the baseline, in double precision."""
    return float(np.linalg.norm(steps.astype(np.float64) - baseline.astype(np.float64).ravel(), axis=1).max())


def effective_dimension(steps: Vectors) -> float:
    """Participation ratio of the covariance spectrum: n if steps differ equally in n directions; 0 for one step."""
    if len(steps) < 2:
        return 0.0
    rows = steps.astype(np.float64)
    centred = rows - rows.mean(axis=0)
    # the Gram matrix has the same non-zero spectrum as the covariance, and is far smaller for few steps
    narrow = centred @ centred.T if len(centred) <= centred.shape[1] else centred.T @ centred
    total = float(np.trace(narrow))
    if total <= ROUNDING * float((rows * rows).sum()):
        return 0.0
    squares = float((narrow * narrow).sum())  # Σλ² is the squared Frobenius norm of a symmetric matrix
    return total * total / squares


def clusters(steps: Vectors) -> int:
    """How many different candidates: average-linkage groups by cosine distance; all zero vectors are one more."""
    length = np.linalg.norm(steps.astype(np.float64), axis=1)
    zero = length == 0
    rows = steps[~zero].astype(np.float64) / length[~zero, None]
    return _groups(rows) + int(zero.any())


def _groups(rows: Floats) -> int:
    if len(rows) < 2:
        return len(rows)
    from scipy.cluster.hierarchy import linkage

    upper = np.triu_indices(len(rows), 1)
    distances = np.maximum(1.0 - (rows @ rows.T)[upper], 0.0)
    if distances.max() < SAME:
        return 1
    # average linkage never inverts, so the merges at or above the threshold are exactly those that are not made
    heights = linkage(distances, method="average")[:, 2]
    return int((heights >= SAME).sum()) + 1
