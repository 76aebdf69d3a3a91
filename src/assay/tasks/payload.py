"""The only data that crosses the border of the sandbox: a flat mapping of names to arrays or JSON values.

Arrays travel as raw buffers with a checked header, everything else as JSON. Nothing is ever unpickled.
"""

import json
import math
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

Payload = Mapping[str, Any]
"""Values are numpy arrays of a plain numeric or boolean type, or anything JSON can say."""

_ALLOWED = frozenset("biuf")
_LENGTH = struct.Struct("<Q")
JSON_BYTES = 4 * 2**20
"""What is not an array may take this much: parsed JSON can be fifty times the size of its text."""


class PayloadError(ValueError):
    """The data is not a payload: an object, a wrong header, a cut buffer."""


def encode(payload: Payload) -> bytes:
    """Raises PayloadError for anything that is neither a plain array nor JSON."""
    header: dict[str, Any] = {}
    buffers: list[bytes] = []
    if not isinstance(payload, Mapping):
        raise PayloadError(f"expected a mapping of names to arrays and JSON, got {type(payload).__name__}")
    for name, value in payload.items():
        if not isinstance(name, str):
            raise PayloadError(f"names must be strings, got {name!r}")
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, np.ndarray):
            if value.dtype.kind not in _ALLOWED:
                raise PayloadError(f"'{name}' is an array of {value.dtype}, which is not a plain number type")
            header[name] = {"dtype": value.dtype.str, "shape": value.shape}
            buffers.append(np.ascontiguousarray(value).tobytes())
        else:
            header[name] = {"json": value}
    try:
        head = json.dumps(header).encode()
    except (TypeError, ValueError) as error:
        raise PayloadError(f"a value is neither an array nor JSON: {error}") from None
    if len(head) > JSON_BYTES:
        raise PayloadError(f"{len(head)} bytes of JSON; large data goes into arrays")
    return b"".join([_LENGTH.pack(len(head)), head, *buffers])


def decode(data: bytes) -> dict[str, Any]:
    """The inverse of `encode`, for bytes of any origin. Raises PayloadError; runs nothing."""
    if len(data) < _LENGTH.size:
        raise PayloadError("shorter than its header")
    (size,) = _LENGTH.unpack_from(data)
    if size > JSON_BYTES:
        raise PayloadError(f"{size} bytes of JSON; large data goes into arrays")
    start = _LENGTH.size + size
    try:
        header = json.loads(data[_LENGTH.size : start])
        items = [(str(name), dict(entry)) for name, entry in header.items()]
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise PayloadError(f"unreadable header: {error}") from None
    result: dict[str, Any] = {}
    for name, entry in items:
        if "json" in entry:
            result[name] = entry["json"]
            continue
        array, start = _array(data, start, name, entry)
        result[name] = array
    return result


def _array(data: bytes, start: int, name: str, entry: dict[str, Any]) -> tuple[np.ndarray[Any, Any], int]:
    try:
        dtype = np.dtype(str(entry["dtype"]))
        shape = tuple(int(n) for n in entry["shape"])
    except (KeyError, TypeError, ValueError, OverflowError, SyntaxError) as error:
        raise PayloadError(f"'{name}' has no readable type or shape: {error}") from None
    if dtype.kind not in _ALLOWED or dtype.subdtype is not None or any(n < 0 for n in shape) or len(shape) > 32:
        raise PayloadError(f"'{name}' is not a plain numeric array")
    stop = start + dtype.itemsize * math.prod(shape)
    if stop > len(data):
        raise PayloadError(f"'{name}' is cut off")
    # a copy, so that the array owns its memory and the message can go
    return np.frombuffer(data[start:stop], dtype).reshape(shape).copy(), stop
