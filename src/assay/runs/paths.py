"""Where results lie."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ResultPaths:
    """results/
    blobs/ab/cdef…              texts and code, stored once by content
    runs/<run-id>/run.json      what was asked for, with which versions, on what machine
                 /events.jsonl  what happened, one event a line
                 /lock          held by the process that writes"""

    root: Path

    @property
    def blobs(self) -> Path:
        return self.root / "blobs"

    @property
    def runs(self) -> Path:
        return self.root / "runs"

    def run(self, run_id: str) -> "RunPaths":
        return RunPaths(self.runs / run_id)


@dataclass(frozen=True)
class RunPaths:
    """One run's folder; see ResultPaths."""

    root: Path

    @property
    def header(self) -> Path:
        return self.root / "run.json"

    @property
    def events(self) -> Path:
        return self.root / "events.jsonl"

    @property
    def lock(self) -> Path:
        return self.root / "lock"
