"""Server-sent events: split as they come, without a byte lost or changed."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

_END = re.compile(rb"\r?\n\r?\n")


def events(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Each event with the blank line that ends it, however the bytes arrive. A rest without one comes last."""
    waiting = b""
    for chunk in chunks:
        waiting += chunk
        start = 0
        for end in _END.finditer(waiting):
            yield waiting[start : end.end()]
            start = end.end()
        waiting = waiting[start:]
    if waiting:
        yield waiting


def payload(event: bytes) -> Any:
    """The JSON that an event carries; None if it carries none, as a comment or the end mark of a chat."""
    lines = (line for line in event.splitlines() if line.startswith(b"data:"))
    return parsed(b"\n".join(line.removeprefix(b"data:") for line in lines))


def parsed(data: bytes) -> Any:
    """JSON, or None."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
