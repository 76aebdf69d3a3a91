"""A paper, and the contract of whatever finds papers."""

from typing import Protocol

from assay.base import Frozen


class Paper(Frozen):
    """What is needed to cite a paper. Identifiers come from a library and never from an agent."""

    key: str
    title: str
    authors: tuple[str, ...] = ()
    """Family names first, as in `Breiman, Leo`."""
    year: int | None = None
    venue: str = ""
    doi: str = ""
    arxiv: str = ""
    abstract: str = ""
    keywords: tuple[str, ...] = ()

    @property
    def who(self) -> str:
        """`Ng and Jordan`, `Natarajan et al.`"""
        names = [author.partition(",")[0] for author in self.authors]
        if not names:
            return "Anonymous"
        return names[0] if len(names) == 1 else " and ".join(names) if len(names) == 2 else f"{names[0]} et al."

    @property
    def line(self) -> str:
        """One line of a list of references."""
        where = f" {self.venue}." if self.venue else ""
        known = f" doi:{self.doi}" if self.doi else f" arXiv:{self.arxiv}" if self.arxiv else ""
        return f"{self.who} ({self.year or 'no year'}). {self.title}.{where}{known}"


class Library(Protocol):
    """Finds papers. Raises AssayError if it cannot be asked; finding nothing is an answer."""

    @property
    def name(self) -> str:
        """What a reader is told about where papers came from."""

    def search(self, query: str, limit: int) -> tuple[Paper, ...]:
        """The papers that fit best, best first."""
