"""Texts and files stored once, by the digest of their content."""

from pathlib import Path

from assay.errors import AssayError
from assay.files import digest, write_whole


class Blobs:
    """A folder of contents. Safe for any number of writers and readers: a text appears whole or not at all."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: set[str] = set()

    def put(self, text: str) -> str:
        """Store a text and return its digest; on disk when this returns."""
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
        if name in self._known:
            return name
        path = self._path(name)
        if not path.exists():
            write_whole(path, data)
        self._known.add(name)
        return name

    def get_file(self, name: str) -> bytes:
        """Raises AssayError if the content is not there or is not what its name says."""
        try:
            data = self._path(name).read_bytes()
        except FileNotFoundError:
            raise self._damaged(name) from None
        if digest(data) != name:
            raise self._damaged(name)
        return data

    def _damaged(self, name: str) -> AssayError:
        return AssayError(
            f"{self._path(name)} is missing or damaged", "the results folder was copied in part or changed by hand"
        )

    def _path(self, digest: str) -> Path:
        return self._root / digest[:2] / digest[2:]
