"""Texts and files stored once, by the digest of their content."""

import os
import tempfile
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from assay.errors import AssayError
from assay.files import digest, write_whole

_AT_ONCE = 8
"""Contents that are sent to the disk at the same time: a disk writes many in the time that it takes to write one."""


class Blobs:
    """A folder of contents. Safe for any number of writers and readers: a text appears whole or not at all."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: set[str] = set()
        self._waiting = _Waiting()

    def put(self, text: str) -> str:
        """Store a text and return its digest; on disk when this returns, or when the block `together` ends."""
        return self.put_file(text.encode("utf-8", "surrogatepass"))

    def get(self, digest: str) -> str:
        """Raises AssayError if the text is not there or is not what its name says."""
        try:
            return self.get_file(digest).decode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            raise self._damaged(digest) from None

    def put_file(self, data: bytes) -> str:
        """Store a file's content; a text has the same digest as its UTF-8 bytes."""
        name = digest(data)
        if name in self._known or name in self._waiting.files:
            return name
        path = self._path(name)
        if not path.exists():
            if self._waiting.blocks:
                self._waiting.files[name] = _written_aside(path, data)
                return name
            write_whole(path, data)
        self._known.add(name)
        return name

    def get_file(self, name: str) -> bytes:
        """Raises AssayError if the content is not there or is not what its name says."""
        try:
            data = self._waiting.files.get(name, self._path(name)).read_bytes()
        except FileNotFoundError:
            raise self._damaged(name) from None
        if digest(data) != name:
            raise self._damaged(name)
        return data

    @contextmanager
    def together(self) -> Iterator[None]:
        """What this thread stores within the block goes to the disk at once, which takes as long as one content does.

        It is there when the block ends, however it ends; within another block, with all that was stored before.
        """
        self._waiting.blocks += 1
        try:
            yield
        finally:
            self._waiting.blocks -= 1
            self._settle(self._waiting.files)
            self._known.update(self._waiting.files)
            self._waiting.files.clear()

    def _settle(self, files: Mapping[str, Path]) -> None:
        if len(files) > 1:
            # late: readers, such as `assay score`, never need it
            from concurrent.futures import ThreadPoolExecutor

            with ThreadPoolExecutor(_AT_ONCE) as pool:
                list(pool.map(_sync, files.values()))
        else:
            for file in files.values():
                _sync(file)
        # named last: under its digest there is never a content that a power cut could take away
        for name, file in files.items():
            file.rename(self._path(name))

    def _damaged(self, name: str) -> AssayError:
        return AssayError(
            f"{self._path(name)} is missing or damaged", "the results folder was copied in part or changed by hand"
        )

    def _path(self, digest: str) -> Path:
        return self._root / digest[:2] / digest[2:]


class _Waiting(threading.local):
    """What a thread has stored and not yet sent to the disk."""

    def __init__(self) -> None:
        self.blocks = 0
        self.files: dict[str, Path] = {}


def _written_aside(path: Path, data: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=".")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(aside).chmod(0o644)
    return Path(aside)


def _sync(file: Path) -> None:
    handle = os.open(file, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
