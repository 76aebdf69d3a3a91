"""The digits that several graders draw their data from. For the trusted side: inside the sandbox they are hidden."""

from functools import cache
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


@cache
def digits() -> tuple[Array, Array]:
    """1797 images of 64 pixels in [0, 1] and their digits, in the order of scikit-learn; read-only.

    Whoever hands rows out shuffles them with a secret seed first, so that a position says nothing about a label.
    """
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    images = images / 16.0
    images.flags.writeable = labels.flags.writeable = False
    return images, labels
