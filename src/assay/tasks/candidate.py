"""A candidate: an immutable snapshot of a task's editable files, addressed by its content."""

import hashlib
from collections.abc import Mapping
from functools import cached_property

from assay.base import Frozen


def text_digest(text: str) -> str:
    """The address of a text: SHA-256 of its UTF-8 bytes. Lone surrogates, which a model can emit, are kept."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class Candidate(Frozen):
    """The editable files of a task, by path relative to the workspace."""

    files: Mapping[str, str]

    @cached_property
    def digest(self) -> str:
        """Equal content, equal digest, whatever the order of the files."""
        lines = (f"{path}\0{text_digest(text)}\n" for path, text in sorted(self.files.items()))
        return text_digest("".join(lines))

    @cached_property
    def code(self) -> str:
        """All files in sorted order joined by newlines: what embedders and size measures look at."""
        return "\n".join(text for _, text in sorted(self.files.items()))
