"""Running a script of the workspace in the sandbox, and taking over what it changed."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assay.environments.workspace import LONGEST_NAME, ActionError, Workspace
from assay.evaluation.evaluate import ATTEMPTS, Runner
from assay.sandbox.job import Job, Result
from assay.sandbox.log import normalised
from assay.tasks.payload import PayloadError, encode
from assay.tasks.spec import Limits

_INSIDE = Path(__file__).parent / "inside" / "script.py"
_GRACE_SECONDS = 20.0
"""How long after its own limit the sandbox ends a script that the process beside it could not end."""
MOST_FILES, MOST_NOTES = 2000, 20
MOST_CHARS = 25_000
"""Of a stream. What runs beside the script cuts it shorter."""


@dataclass(frozen=True)
class Executed:
    """How a script ended. `exit_code` is None if it was killed at a limit, and `problem` then says which."""

    exit_code: int | None
    stdout: str
    stderr: str
    seconds: float
    problem: str = ""
    notes: tuple[str, ...] = ()
    """Which files could not be kept: too large, too many, or under a name that no file can have."""


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
    try:
        inputs = encode({**said, **buffers})
    except PayloadError:
        raise ActionError("there are too many files, or the line is too long, to be run") from None
    job = Job(_INSIDE.read_text(), {}, inputs, outer, workspace.fixed)
    for _ in range(ATTEMPTS):
        result = runner.run(job)
        if result.kind != "infrastructure":
            return _taken_over(workspace, result, limits)
    raise ActionError(f"the script could not be run: {result.message}")


def _taken_over(workspace: Workspace, result: Result, limits: Limits) -> Executed:
    """What the process says is the word of hostile code, forged files and numbers included."""
    outputs = result.outputs
    if outputs is None:
        limit = {"out_of_memory": "memory", "timeout": "time"}.get(result.kind, "the sandbox's")
        problem = f"ended by {limit} limit: {result.message}"
        return Executed(None, result.log_tail, "", result.clock.seconds, problem)
    lost = [*_names(outputs, "left_out"), *_laid_into(workspace, outputs)]
    # a name may be no text at all
    said = [path.encode("utf-8", "replace").decode()[:LONGEST_NAME] for path in lost[:MOST_NOTES]]
    notes = [f"{path} was not kept" for path in said]
    if len(lost) > MOST_NOTES:
        notes.append(f"and {len(lost) - MOST_NOTES} more files were not kept")
    code = outputs.get("exit_code")
    killed = f"killed after {limits.seconds:g} s, the limit of one execution"
    return Executed(
        exit_code=code if isinstance(code, int) else None,
        stdout=normalised(str(outputs.get("stdout", ""))[:MOST_CHARS], {}),
        stderr=normalised(str(outputs.get("stderr", ""))[:MOST_CHARS], {}),
        seconds=result.clock.seconds,
        problem="" if isinstance(code, int) else killed,
        notes=tuple(notes),
    )


def _laid_into(workspace: Workspace, outputs: dict[str, Any]) -> list[str]:
    """Take over what was deleted, then what was written, for a folder may stand where a file was. What was refused."""
    refused = []
    for path in _names(outputs, "gone"):
        try:
            workspace.remove(path)
        except ActionError:
            refused.append(path)
    for number, path in enumerate(_names(outputs, "paths")):
        data = outputs.get(f"file{number}")
        try:
            if isinstance(data, np.ndarray):
                workspace.write(path, data.tobytes())
        except ActionError:
            refused.append(path)
    return refused


def _names(outputs: dict[str, Any], key: str) -> list[str]:
    """A list of paths in the words of a hostile process."""
    claimed = outputs.get(key)
    return [str(path) for path in claimed[:MOST_FILES]] if isinstance(claimed, list) else []
