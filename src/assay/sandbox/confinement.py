"""What the server sets up once and every job enters."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.tasks.spec import Limits


@dataclass(frozen=True)
class Scratch:
    """The only place a candidate may write; gone when the job ends."""

    folder: Path

    def hand_over(self) -> None:
        """Give the folder and what is in it to the candidate."""


@dataclass(frozen=True)
class Confinement:
    def describe(self) -> dict[str, Any]:
        return {"level": "none", "missing": ["confinement: not applied"]}

    def fork(self) -> int:
        return os.fork()

    @contextmanager
    def scratch(self, limits: Limits) -> Iterator[Scratch]:
        folder = Path(tempfile.mkdtemp(prefix="assay-"))
        try:
            yield Scratch(folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def enter(self, scratch: Scratch, limits: Limits) -> None:
        """In the candidate's process: give up everything it does not need."""

    def end_all(self, pid: int) -> None:
        with suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            while True:
                os.waitpid(-1, 0)


def prepare(hidden: Sequence[str]) -> Confinement:
    return Confinement()
