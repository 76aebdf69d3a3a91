"""Reading a run: its header and its events, at any time, while it is being written or after a crash."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from assay.base import Frozen
from assay.errors import AssayError, UsageError
from assay.runs.blobs import Blobs
from assay.runs.events import EVENT, Event, Finished, Tested
from assay.runs.paths import ResultPaths, RunPaths
from assay.runs.spec import RunSpec
from assay.sandbox.job import Isolation
from assay.tasks.facts import TaskFacts


class Header(Frozen):
    """`run.json`."""

    schema_version: Literal[1] = 1
    spec: RunSpec
    task_digest: str
    task: TaskFacts | None = None
    """What scoring needs of the task. Without it the task itself must be at hand."""
    isolation: Isolation
    versions: dict[str, str]
    machine: dict[str, Any]


class DamagedJournal(AssayError):
    """A journal that cannot be trusted: wrong version, unknown event, a broken line that is not the last."""


@dataclass(frozen=True)
class RunRecord:
    """One run as it is on disk."""

    paths: RunPaths
    header: Header

    @property
    def run_id(self) -> str:
        return self.paths.root.name

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """All complete events. A cut last line is what a crash leaves behind and is passed over."""
        return tuple(read_events(self.paths.events))

    @property
    def finished(self) -> Finished | None:
        last = self.events[-1] if self.events else None
        return last if isinstance(last, Finished) else None

    def tested(self, who: Literal["baseline", "best"]) -> Tested | None:
        return next((e for e in self.events if isinstance(e, Tested) and e.who == who), None)


def read_events(path: Path) -> Iterator[Event]:
    """Events in order. Raises DamagedJournal, naming file and line."""
    if not path.exists():
        return
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n"):
                return
            try:
                yield EVENT.validate_json(line)
            except ValidationError as error:
                reason = error.errors()[0]["msg"]
                raise DamagedJournal(
                    f"{path}, line {number}: {reason}",
                    "changed by hand, or written by another version; move the run's folder away to run it again",
                ) from None


def read_run(folder: Path) -> RunRecord:
    """Raises DamagedJournal if run.json is unreadable or of another version. Events are read when first asked for."""
    paths = RunPaths(folder)
    try:
        header = Header.model_validate(json.loads(paths.header.read_bytes()))
    except FileNotFoundError:
        raise DamagedJournal(f"{paths.header} is missing", "not a run, or one that never began") from None
    except (ValueError, ValidationError) as error:
        raise DamagedJournal(f"{paths.header}: {str(error).splitlines()[0]}", "written by another version?") from None
    return RunRecord(paths, header)


def run_folders(results: Path) -> list[Path]:
    """The folders of all runs in a results folder. Raises UsageError if it is none."""
    paths = ResultPaths(results)
    if not paths.runs.is_dir():
        raise UsageError(f"{results} holds no runs", "make some with: assay run --agent autoresearch --task fml-mini")
    return sorted(p for p in paths.runs.iterdir() if (p / "run.json").is_file())


def blobs_of(results: Path) -> Blobs:
    return Blobs(ResultPaths(results).blobs)
