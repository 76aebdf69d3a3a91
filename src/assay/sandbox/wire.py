"""Messages between the harness, the fork server and its wardens: a JSON header and one block of raw bytes.

Nothing is pickled, and the length of what may arrive is bounded by the reader, not by the sender.
"""

import json
import socket
import struct
from typing import Any

_SIZES = struct.Struct("<QQ")
_CHUNK = 1 << 20


class Closed(Exception):
    """The other side went away before the message was complete."""


def send(sock: socket.socket, header: dict[str, Any], block: bytes | bytearray = b"") -> None:
    """Raises Closed if nobody listens any more, TimeoutError if the socket has a timeout and it passes."""
    head = json.dumps(header).encode()
    try:
        sock.sendall(_SIZES.pack(len(head), len(block)) + head)
        if block:
            sock.sendall(block)
    except (BrokenPipeError, ConnectionResetError) as error:
        raise Closed from error


def receive(sock: socket.socket) -> tuple[dict[str, Any], bytearray]:
    """Raises Closed at the end of the stream, TimeoutError if the socket has a timeout and it passes."""
    head_size, block_size = _SIZES.unpack(_exactly(sock, _SIZES.size))
    header: dict[str, Any] = json.loads(_exactly(sock, head_size))
    return header, _exactly(sock, block_size)


def _exactly(sock: socket.socket, size: int) -> bytearray:
    data = bytearray(size)
    view = memoryview(data)
    filled = 0
    while filled < size:
        try:
            count = sock.recv_into(view[filled : filled + _CHUNK])
        except ConnectionResetError as error:
            raise Closed from error
        if count == 0:
            raise Closed
        filled += count
    return data
