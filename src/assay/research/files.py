"""Files that appear whole or not at all, so that a crash never leaves half a stage behind."""

import hashlib
import os
import tempfile
from pathlib import Path


def write_whole(path: Path, data: bytes | str) -> None:
    """Write a file in one step; on disk when this returns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).chmod(0o644)
        Path(temporary).rename(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def digest(data: bytes) -> str:
    """SHA-256, in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def drop_cut_line(file: Path) -> None:
    """Remove what a kill in the middle of a write left behind the last whole line, if there is such a file."""
    if file.is_file():
        data = file.read_bytes()
        whole = data.rfind(b"\n") + 1
        if whole != len(data):
            with file.open("rb+") as opened:
                opened.truncate(whole)
