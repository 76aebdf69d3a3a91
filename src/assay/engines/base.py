"""What an engine is: it carries out runs somewhere, and never knows what they do."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from assay.base import Frozen
from assay.models.usage import Usage
from assay.runs.spec import Caps, RunSpec


class RunState(Frozen):
    """Where one run stands, as told by the process that carries it out."""

    run_id: str
    status: Literal["waiting", "running", "finished", "interrupted", "failed"]
    step: int = 0
    baseline: float | None = None
    best: float | None = None
    usage: Usage = Usage()
    seconds: float = 0.0
    reason: str = ""
    """Why the search ended, or what failed."""
    hint: str = ""
    resumed: bool = False
    """It was finished before this sweep began."""


@dataclass(frozen=True)
class Sweep:
    """A grid of runs and what they may spend together."""

    specs: tuple[RunSpec, ...]
    results: Path
    caps: Caps = field(default_factory=Caps)
    replay: Path | None = None


Watch = Callable[[RunState], None]


class Engine(Protocol):
    """Carries out the runs of a sweep.

    Returns the last state of every run in the order of the sweep. Finished runs are passed over, unfinished ones
    continued. KeyboardInterrupt stops it cleanly: runs end at their next event and are reported as interrupted.
    """

    def carry_out(self, sweep: Sweep, watch: Watch) -> Sequence[RunState]: ...
