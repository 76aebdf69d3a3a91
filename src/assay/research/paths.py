"""Where the work of a staged agent lies."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ResearchPaths:
    """<out>/<brief>/
    task.md                the brief's text
    idea.md                idea
    related_work.md        literature
    references.bib         the papers that were found, with the identifiers of the library
    proposal.md            proposal
    code/                  experiments: what was run
    results/               what the runs wrote: raw files and figures
           /log.txt        what they printed, with the harness's clock
           /results.md     experiments: what came out
           /paper.md       paper
    processes.jsonl        every process of an experiment, as the harness saw it
    .assay/research.json   how far each stage is
          /calls.ndjson    every call of a model
          /blobs/          every version of the code that ran, by its SHA-256
          /lock            held by the process that writes"""

    root: Path

    @property
    def task(self) -> Path:
        return self.root / "task.md"

    @property
    def references(self) -> Path:
        return self.root / "references.bib"

    @property
    def code(self) -> Path:
        return self.root / "code"

    @property
    def results(self) -> Path:
        return self.root / "results"

    @property
    def log(self) -> Path:
        return self.results / "log.txt"

    @property
    def state(self) -> Path:
        return self.root / ".assay" / "research.json"

    @property
    def calls(self) -> Path:
        return self.root / ".assay" / "calls.ndjson"

    @property
    def blobs(self) -> Path:
        return self.root / ".assay" / "blobs"

    @property
    def lock(self) -> Path:
        return self.root / ".assay" / "lock"
