"""How far a research project is: one small file, rewritten whole at every turn. Schema version 1."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from assay import __version__
from assay.base import Frozen
from assay.errors import AssayError, UsageError
from assay.files import digest, write_whole
from assay.research.paths import ResearchPaths
from assay.research.stages import STAGES, WRITES, Stage
from assay.sandbox.job import Isolation

Status = Literal["begun", "done", "given"]


class StageRecord(Frozen):
    """One stage."""

    status: Status
    """begun: was not finished yet, so the next run does it again. given: its text was there before any agent came."""
    model: str = ""
    attempts: int = 0
    started: float = 0.0
    """Seconds since the epoch, of the last attempt."""
    seconds: float = 0.0
    """Of the attempt that finished."""
    read: dict[str, str] = {}
    """SHA-256 of each text that the stage went by."""
    wrote: str = ""
    """SHA-256 of the text that it left."""
    notes: tuple[str, ...] = ()


class ResearchState(Frozen):
    """The content of `.assay/research.json`."""

    version: Literal[1] = 1
    assay: str = __version__
    agent: Literal["mlr_agent"] = "mlr_agent"
    brief: str
    seed: int
    isolation: Isolation | None = None
    """What stood between the experiments and the machine."""
    stages: dict[Stage, StageRecord] = {}


class Progress:
    """The state of one folder, kept on disk. Made by `open_progress`."""

    def __init__(self, paths: ResearchPaths, state: ResearchState) -> None:
        self.paths = paths
        self.state = state

    def finished(self, stage: Stage) -> bool:
        record = self.state.stages.get(stage)
        return record is not None and record.status != "begun"

    def take_given(self, stage: Stage) -> bool:
        """Whether the stage's text is there though no agent began it: then it is the input of the stages after it."""
        if stage in self.state.stages or not (self.paths.root / WRITES[stage]).is_file():
            return False
        self._record(stage, StageRecord(status="given", wrote=self._hashes((stage,))[WRITES[stage]]))
        return True

    def begin(self, stage: Stage, model: str) -> None:
        """Raises UsageError if a text that the stage goes by is not there."""
        before = STAGES[: STAGES.index(stage)]
        missing = [name for name in before if not self.finished(name)]
        if missing:
            raise UsageError(
                f"stage '{stage}' needs the stage '{missing[0]}' before it",
                f"run it first, or put its text there yourself: {self.paths.root / WRITES[missing[0]]}",
            )
        old = self.state.stages.get(stage)
        attempts = (old.attempts if old else 0) + 1
        started = round(time.time(), 3)
        self._record(
            stage,
            StageRecord(status="begun", model=model, attempts=attempts, started=started, read=self._hashes(before)),
        )

    def finish(self, stage: Stage, notes: tuple[str, ...]) -> None:
        begun = self.state.stages[stage]
        seconds = round(time.time() - begun.started, 3)
        wrote = self._hashes((stage,))[WRITES[stage]]
        update = {"status": "done", "seconds": seconds, "wrote": wrote, "notes": notes}
        self._record(stage, begun.model_copy(update=update))

    def isolated_by(self, isolation: Isolation) -> None:
        self._save(self.state.model_copy(update={"isolation": isolation}))

    def _hashes(self, stages: tuple[Stage, ...]) -> dict[str, str]:
        return {WRITES[name]: digest((self.paths.root / WRITES[name]).read_bytes()) for name in stages}

    def _record(self, stage: Stage, record: StageRecord) -> None:
        stages = {**self.state.stages, stage: record}
        ordered = {name: stages[name] for name in STAGES if name in stages}
        self._save(self.state.model_copy(update={"stages": ordered}))

    def _save(self, state: ResearchState) -> None:
        self.state = state
        write_whole(self.paths.state, state.model_dump_json(indent=2) + "\n")


@contextmanager
def open_progress(paths: ResearchPaths, brief: str, seed: int) -> Iterator[Progress]:
    """Hold the folder's state for writing; begin it if there is none.

    Raises AssayError if another process holds it, UsageError if the folder is another brief's or another seed's.
    """
    paths.lock.parent.mkdir(parents=True, exist_ok=True)
    lock = os.open(paths.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise AssayError(
                f"{paths.root} is in use by another process", "wait for it, or use another --out"
            ) from None
        state = read_state(paths.root) if paths.state.is_file() else ResearchState(brief=brief, seed=seed)
        if (state.brief, state.seed) != (brief, seed):
            raise UsageError(
                f"{paths.root} holds research on '{state.brief}' with seed {state.seed}", "use another --out"
            )
        yield Progress(paths, state)
    finally:
        os.close(lock)


def read_state(folder: Path) -> ResearchState:
    """Raises UsageError if the folder holds no research of Assay's."""
    file = ResearchPaths(folder).state
    try:
        return ResearchState.model_validate_json(file.read_text(encoding="utf-8"))
    except (OSError, ValidationError) as error:
        raise UsageError(
            f"{folder} holds no research that Assay ran: {file.name}: {error}", "see: assay research run --help"
        ) from None
