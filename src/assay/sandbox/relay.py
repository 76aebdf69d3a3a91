"""Lines of JSON from a job to the harness and back, by way of the warden, which never waits for the job."""

import contextlib
import json
import socket
from typing import Any

from assay.sandbox import wire

LINE_BYTES = 1 << 23
_CHUNK = 1 << 16
_TELL_SECONDS = 5.0


class AsksTooMuch(Exception):
    """The job sent a line that is longer than any it could need."""


class Relay:
    """One question at a time: what the job sends before it was answered waits in its own buffers."""

    def __init__(self, job: socket.socket, harness: socket.socket) -> None:
        self._job = job
        self._harness = harness
        self._line = bytearray()
        job.setblocking(False)

    def ask(self) -> bool:
        """Take what the job sent; a whole line goes to the harness. False when the job closed its end.

        Raises AsksTooMuch, and wire.Closed if the harness is gone.
        """
        try:
            data = self._job.recv(_CHUNK)
        except BlockingIOError:
            return True
        except ConnectionResetError:
            return False
        self._line += data
        if len(self._line) > LINE_BYTES:
            raise AsksTooMuch
        line, newline, rest = self._line.partition(b"\n")
        if newline:
            self._line = rest
            wire.send(self._harness, {"asked": _read(line)})
        return bool(data)

    def tell(self) -> None:
        """Hand the harness's answer on. A job that does not listen goes without."""
        header, _ = wire.receive(self._harness)
        self._job.settimeout(_TELL_SECONDS)
        with contextlib.suppress(OSError):
            self._job.sendall(json.dumps(header["told"]).encode() + b"\n")
        self._job.setblocking(False)


def _read(line: bytearray) -> Any:
    """What is not JSON is asked as nothing."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
