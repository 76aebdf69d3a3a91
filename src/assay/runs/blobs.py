"""Texts stored once, by the digest of their content."""

from pathlib import Path

from assay.errors import AssayError
from assay.files import write_whole
from assay.tasks.candidate import text_digest


class Blobs:
    """A folder of texts. Safe for any number of writers and readers: a text appears whole or not at all."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: set[str] = set()

    def put(self, text: str) -> str:
        """Store a text and return its digest; on disk when this returns."""
        digest = text_digest(text)
        if digest in self._known:
            return digest
        path = self._path(digest)
        if not path.exists():
            write_whole(path, text)
        self._known.add(digest)
        return digest

    def get(self, digest: str) -> str:
        """Raises AssayError if the text is not there or is not what its name says."""
        try:
            text = self._path(digest).read_bytes().decode("utf-8", "surrogatepass")
        except (FileNotFoundError, UnicodeDecodeError):
            text = None
        if text is None or text_digest(text) != digest:
            raise AssayError(
                f"{self._path(digest)} is missing or damaged",
                "the results folder was copied in part or changed by hand",
            )
        return text

    def _path(self, digest: str) -> Path:
        return self._root / digest[:2] / digest[2:]
