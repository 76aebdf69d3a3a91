"""Running a script of the workspace in the sandbox, and taking over what it changed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assay.environments.workspace import ActionError, Workspace, canonical
from assay.evaluation.evaluate import ATTEMPTS, Runner
from assay.sandbox.job import Job, Result
from assay.sandbox.log import normalised
from assay.tasks.payload import encode
from assay.tasks.spec import Limits

_INSIDE = Path(__file__).parent / "inside" / "script.py"
_GRACE_SECONDS = 20.0
"""How long after its own limit the sandbox ends a script that the process beside it could not end."""
MOST_FILES = 2000


@dataclass(frozen=True)
class Executed:
    """How a script ended. `exit_code` is None if it was killed at a limit, and `problem` then says which."""

    exit_code: int | None
    stdout: str
    stderr: str
    seconds: float
    problem: str = ""
    notes: tuple[str, ...] = ()
    """What became of files that could not be kept."""


def execute(workspace: Workspace, runner: Runner, limits: Limits, script: str = "", line: str = "") -> Executed:
    """Run one of the workspace's scripts, or a line of Python, and lay what it wrote into the workspace.

    Read-only files are so for the script, too. Raises ActionError if the sandbox itself fails.
    """
    own = {path: workspace.read(path) for path in workspace.own}
    buffers = {f"file{number}": np.frombuffer(data, np.uint8) for number, data in enumerate(own.values())}
    said = {
        "script": script,
        "line": line,
        "seconds": limits.seconds,
        "paths": list(own),
        "kept": list(workspace.fixed),
    }
    outer = limits.model_copy(update={"seconds": limits.seconds + _GRACE_SECONDS})
    job = Job(_INSIDE.read_text(), {}, encode({**said, **buffers}), outer, workspace.fixed)
    for _ in range(ATTEMPTS):
        result = runner.run(job)
        if result.kind != "infrastructure":
            return _taken_over(workspace, result, limits)
    raise ActionError(f"the script could not be run: {result.message}")


def _taken_over(workspace: Workspace, result: Result, limits: Limits) -> Executed:
    outputs = result.outputs
    if outputs is None:
        limit = {"out_of_memory": "memory", "timeout": "time"}.get(result.kind, "the sandbox's")
        problem = f"ended by {limit} limit: {result.message}"
        return Executed(None, result.log_tail, "", result.clock.seconds, problem)
    notes = [f"{path} was not kept: too large or too many files" for path in _names(outputs, "left_out")]
    for number, claimed in enumerate(_names(outputs, "paths")):
        data = outputs.get(f"file{number}")
        try:
            if isinstance(data, np.ndarray):
                workspace.write(claimed, data.tobytes())
        except ActionError as error:
            notes.append(f"{claimed[:200]} was not kept: {error}")
    for claimed in _names(outputs, "gone"):
        workspace.remove(canonical(claimed))
    code = outputs.get("exit_code")
    timeout = "" if isinstance(code, int) else f"killed after {limits.seconds:g} s, the limit of one execution"
    seconds = outputs.get("seconds")
    return Executed(
        exit_code=code if isinstance(code, int) else None,
        stdout=normalised(str(outputs.get("stdout", "")), {}),
        stderr=normalised(str(outputs.get("stderr", "")), {}),
        seconds=float(seconds) if isinstance(seconds, int | float) else result.clock.seconds,
        problem=timeout,
        notes=tuple(notes),
    )


def _names(outputs: dict[str, Any], key: str) -> list[str]:
    """A list of paths in the words of a hostile process."""
    claimed = outputs.get(key)
    return [str(path) for path in claimed[:MOST_FILES]] if isinstance(claimed, list) else []
