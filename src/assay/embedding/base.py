"""The contract of an embedder: from source texts to points in a space where distance means difference."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""One row a text."""


class Embedder(Protocol):
    """Deterministic: the same text gives the same row, alone or not. No text makes it fail; the empty one is zero.

    Values of two embedders are never mixed: whoever stores or shows one names the embedder with it.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimensions(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """An array of shape (number of texts, dimensions)."""
        ...
