"""What a recorder of processes leaves in a research folder: `processes.jsonl`, one process a line. Schema version 1.

The record is written by the harness and never by the agent, so an audit may believe it: a file that no recorded process
wrote was written by hand. The agent must not be able to write to it: keep it outside of what the sandbox may touch and
lay it into the folder afterwards.
"""

from collections.abc import Iterator
from pathlib import Path

from pydantic import ValidationError

from assay.base import Frozen
from assay.errors import AssayError

PROCESSES = "processes.jsonl"
"""The record's name, directly in the folder it is about."""


class WrittenFile(Frozen):
    """A file as a process left it."""

    path: str
    """Relative to the research folder, with forward slashes."""
    sha256: str
    bytes: int


class ProcessRecord(Frozen):
    """One process that an agent started, and what came of it."""

    version: int = 1
    stage: str = ""
    """The stage it belonged to, such as `experiments`."""
    command: tuple[str, ...]
    """The arguments as they were executed; a shell line is `("sh", "-c", line)`."""
    code: dict[str, str] = {}
    """SHA-256 of every code file of the folder that the command names or could import, by path, before it started."""
    started: float
    """Seconds since the epoch, by the harness's clock."""
    ended: float
    exit_code: int | None
    """None if it was killed at a limit."""
    written: tuple[WrittenFile, ...] = ()
    """Files that are new or changed since it started."""
    output: str = ""
    """The last part of what it printed."""

    @property
    def seconds(self) -> float:
        return self.ended - self.started


def append_process(folder: Path, record: ProcessRecord) -> None:
    """Add one process to the folder's record."""
    with (folder / PROCESSES).open("a", encoding="utf-8") as file:
        file.write(record.model_dump_json() + "\n")


def read_processes(folder: Path) -> Iterator[ProcessRecord]:
    """The recorded processes in the order they ended; none if there is no record. Raises if a line is not of the
    schema: a damaged record is no evidence."""
    file = folder / PROCESSES
    if not file.is_file():
        return
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            yield ProcessRecord.model_validate_json(line)
        except ValidationError as error:
            raise AssayError(
                f"{file}, line {number}: not a recorded process", "restore the file, or remove it to audit without it"
            ) from error
