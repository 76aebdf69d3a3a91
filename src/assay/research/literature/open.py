"""Which library a run searches."""

from pathlib import Path

from assay.errors import UsageError
from assay.research.literature.local import LocalLibrary, read_bibliography
from assay.research.literature.openalex import OpenAlex
from assay.research.literature.paper import Library

ONLINE = "openalex"


def open_library(named: str | None, default: Path | None) -> Library:
    """`openalex`, the path of a bibliography, or what comes with the brief. Contacts nobody yet."""
    if named == ONLINE:
        return OpenAlex()
    file = Path(named) if named else default
    if file is None:
        raise UsageError(
            "there is no literature to search", "give a bibliography: --literature FILE.bib, or: --literature openalex"
        )
    return LocalLibrary(read_bibliography(file), f"the bibliography {file.name}")
