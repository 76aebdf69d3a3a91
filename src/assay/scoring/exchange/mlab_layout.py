"""MLAgentBench's results as they lie on disk, and what its evaluator says of a run."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from assay.base import Frozen
from assay.errors import AssayError
from assay.runs.blobs import Blobs


@dataclass(frozen=True)
class MlabRun:
    """<agent>/<task>/<run>/
    agent_log/main_log                    what was said, done and seen, for people
    env_log/trace.json                    every action and what came of it
           /traces/step_<n>_files/        the writable files after action n, from 0
           /traces/step_final_files/      and at the end
           /overall_time.txt              seconds
           /error.txt                     only where the run failed and its agent is not to blame"""

    root: Path

    @property
    def main_log(self) -> Path:
        return self.root / "agent_log" / "main_log"

    @property
    def trace(self) -> Path:
        return self.root / "env_log" / "trace.json"

    def snapshot(self, step: int | str) -> Path:
        return self.root / "env_log" / "traces" / f"step_{step}_files"

    @property
    def overall_time(self) -> Path:
        return self.root / "env_log" / "overall_time.txt"

    @property
    def error(self) -> Path:
        return self.root / "env_log" / "error.txt"


class Signs(Frozen):
    """What the evaluator looks for in the logs of a run."""

    oom_error: bool
    connection_error: bool
    error: bool
    json_error: bool
    long_prompt_error: bool


class Evaluation(Frozen):
    """One run in an evaluation file, which maps the path of a trace to this."""

    path: str
    summary: str = ""
    rubric_questions: dict[str, str] = {}
    submitted_final_answer: bool
    score: tuple[float, ...]
    """Validation values at `score_steps`, 0 for a failed one; then the final score, if there is one."""
    score_steps: tuple[int, ...]
    final_score: float
    """−1 if there is no valid result."""
    total_time: float
    error: str
    extra: Signs


@dataclass
class Snapshots:
    """Writes folders of files. What is the same as in the folder before is the same file on disk, not a copy."""

    blobs: Blobs
    _last: dict[str, tuple[str, Path]] = field(default_factory=dict)
    """Path → digest, and the file that was written for it."""

    def write(self, folder: Path, files: Mapping[str, str]) -> None:
        """Raises AssayError for a path that leads out of the folder, and for contents that are not there."""
        folder.mkdir(parents=True)
        now: dict[str, tuple[str, Path]] = {}
        for path, digest in files.items():
            target = folder / _inside(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            before = self._last.get(path)
            if before is not None and before[0] == digest:
                os.link(before[1], target)
            else:
                target.write_bytes(self.blobs.get_file(digest))
            now[path] = (digest, target)
        self._last = now


def _inside(path: str) -> PurePosixPath:
    """The path as it may be joined to a folder: a journal can come from anywhere."""
    plain = PurePosixPath(path)
    if plain.is_absolute() or not plain.parts or ".." in plain.parts or "\0" in path:
        raise AssayError(f"{path!r} is not a path within a workspace", "the journal was changed by hand")
    return plain
