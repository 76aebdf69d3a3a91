"""The stages of a research project, and the contract of whoever does them."""

from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from assay.base import Frozen
from assay.research.bench import Bench
from assay.research.briefs import Brief
from assay.research.literature.bibtex import read_bibtex
from assay.research.literature.paper import Library, Paper
from assay.research.paths import ResearchPaths

Stage = Literal["idea", "literature", "proposal", "experiments", "paper"]
STAGES: tuple[Stage, ...] = get_args(Stage)

WRITES: dict[Stage, str] = {
    "idea": "idea.md",
    "literature": "related_work.md",
    "proposal": "proposal.md",
    "experiments": "results/results.md",
    "paper": "results/paper.md",
}
"""The text that each stage leaves. A stage reads the brief and the texts of all stages before it."""


class Draft(Frozen):
    """What a stage came to."""

    text: str
    notes: tuple[str, ...] = ()
    """Where the text departs from what was asked, for a reader: nothing is silently let through."""
    papers: tuple[Paper, ...] = ()
    """The papers that the literature stage found."""


@dataclass(frozen=True)
class Desk:
    """All that a researcher may use."""

    brief: Brief
    task: str
    """The brief's text."""
    paths: ResearchPaths
    seed: int
    library: Library
    bench: Bench

    def text(self, stage: Stage) -> str:
        """What an earlier stage wrote."""
        return (self.paths.root / WRITES[stage]).read_text(encoding="utf-8")

    def papers(self) -> tuple[Paper, ...]:
        """What the literature stage found."""
        file = self.paths.references
        return read_bibtex(file.read_text(encoding="utf-8")) if file.is_file() else ()


class Researcher(Protocol):
    """Does the stages, each from what lies on the desk. Keeps nothing between them.

    Raises AssayError where a stage cannot be done; the stage is then done again by the next run.
    """

    def idea(self, desk: Desk) -> Draft: ...

    def literature(self, desk: Desk) -> Draft: ...

    def proposal(self, desk: Desk) -> Draft: ...

    def experiments(self, desk: Desk) -> Draft: ...

    def paper(self, desk: Desk) -> Draft: ...
