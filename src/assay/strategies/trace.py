"""What the path of a search through the space of programs looks like."""

import numpy as np
from numpy.typing import NDArray

from assay.embedding.base import Embedder


def rewrite_distance(code: str, embedder: Embedder) -> float:
    """How far apart the two halves of a program are: about as far as other code in the same style would be.

    Known before the first step, for any task and any embedder. Zero for a program of fewer than two lines.
    """
    lines = [line for line in code.splitlines() if line.strip()]
    middle = len(lines) // 2
    if middle == 0:
        return 0.0
    first, second = embedder.embed(["\n".join(lines[:middle]), "\n".join(lines[middle:])])
    return float(np.linalg.norm(first - second))


def effective_dimension(rows: NDArray[np.floating]) -> float:
    """The number of directions in which displacements spread: (Σλ)² / Σλ² over the eigenvalues λ of their products.

    1 for parallel rows, n for n orthogonal ones of equal length; 1 for fewer than two rows or none but zeros.
    """
    gram = rows.astype(np.float64) @ rows.astype(np.float64).T
    squares = float((gram * gram).sum())
    if len(rows) < 2 or squares == 0:
        return 1.0
    # the sum of eigenvalues is the trace, and the sum of their squares is the sum of squared entries
    return float(np.trace(gram)) ** 2 / squares
