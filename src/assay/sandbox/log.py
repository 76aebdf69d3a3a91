"""What a candidate printed: its beginning and its end, the same for the same work wherever it ran."""

import re
from collections.abc import Mapping

HEAD_BYTES = 1024
TAIL_BYTES = 8192
_ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,16}\b")
_CONTROLS = dict.fromkeys([*range(9), 11, 12, *range(14, 32), *range(127, 160)])


class Log:
    """Keeps the first kilobyte and the last eight of a stream of any length."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._cut = 0

    def feed(self, data: bytes) -> None:
        room = HEAD_BYTES - len(self._head)
        self._head += data[:room]
        self._tail += data[room:] if room > 0 else data
        surplus = len(self._tail) - TAIL_BYTES
        if surplus > 0:
            self._cut += surplus
            del self._tail[:surplus]

    def text(self, replacements: Mapping[str, str]) -> str:
        """As text, with paths of this machine replaced and memory addresses made equal."""
        gap = f"\n[... {self._cut} bytes cut ...]\n".encode() if self._cut else b""
        text = bytes(self._head + gap + self._tail).decode("utf-8", "replace")
        return normalised(text, replacements)


def normalised(text: str, replacements: Mapping[str, str]) -> str:
    """A candidate's text, safe to show: no control characters for a terminal to obey, paths and addresses replaced."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").translate(_CONTROLS)
    # longest first, so that a folder inside another is named by its own name
    for path in sorted(replacements, key=len, reverse=True):
        text = text.replace(path, replacements[path])
    return _ADDRESS.sub("0x…", text)
