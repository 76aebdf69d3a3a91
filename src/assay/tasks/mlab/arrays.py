"""Arrays as `.npy` files: made for candidates, read strictly from them."""

import io
from typing import Any

import numpy as np

from assay.tasks.grader import InvalidOutput
from assay.tasks.payload import Payload

Array = np.ndarray[Any, Any]
_MAGIC = b"\x93NUMPY"


def as_npy(array: Array) -> bytes:
    """A file for `np.load`. The same array gives the same bytes."""
    out = io.BytesIO()
    np.save(out, np.ascontiguousarray(array), allow_pickle=False)
    return out.getvalue()


def from_npy(data: bytes) -> Array:
    """What `as_npy` made. Raises ValueError for anything else; nothing is unpickled."""
    if not data.startswith(_MAGIC):
        raise ValueError("it is not an .npy file")
    array: Array = np.load(io.BytesIO(data), allow_pickle=False)
    return array


def array_of(outputs: Payload, path: str, shape: tuple[int, ...]) -> Array:
    """Finite numbers of a file that the script left, as float64. Raises InvalidOutput."""
    data = outputs.get(path)
    if not isinstance(data, np.ndarray) or data.dtype != np.uint8 or data.ndim != 1:
        raise InvalidOutput(f"the script left no file {path}")
    try:
        array = from_npy(data.tobytes())
    except (ValueError, EOFError, OSError, MemoryError, OverflowError) as error:
        raise InvalidOutput(f"{path} cannot be read: {error}") from None
    if array.shape != shape or array.dtype.kind not in "biuf":
        raise InvalidOutput(f"{path} is {array.dtype} of shape {array.shape}, expected numbers of shape {shape}")
    values = array.astype(np.float64)
    if not np.isfinite(values).all():
        raise InvalidOutput(f"{path} holds values that are not finite numbers")
    return values
