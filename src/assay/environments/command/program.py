"""One start of a program in the sandbox."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from assay.errors import AssayError
from assay.sandbox.client import Host, Sandbox
from assay.sandbox.job import Job, Result
from assay.sandbox.log import normalised
from assay.tasks.payload import encode
from assay.tasks.spec import Limits

_INSIDE = Path(__file__).parent.parent / "inside" / "program.py"
_GRACE_SECONDS = 600.0
"""For what is asked last, after the program's own time is over."""
PROCESSES, SCRATCH_MB, OUTPUT_MB = 512, 4096, 16


@dataclass(frozen=True)
class Program:
    """What is started, and with what."""

    command: str
    """A line for a shell."""
    variables: Mapping[str, str]
    seconds: float
    memory_mb: int
    asks: str
    """The name of the script by which it asks the harness."""
    sends: tuple[str, ...]
    """Patterns of the files that are handed in with every question."""


@dataclass(frozen=True)
class Ended:
    """How it ended. `exit_code` is None if it was killed at a limit."""

    exit_code: int | None
    transcript: str


def run_program(
    sandbox: Sandbox, program: Program, files: Mapping[str, bytes], kept: Mapping[str, bytes], host: Host
) -> Ended:
    """Run it to its end or its limit, and have the host asked once more. `files` are its own, `kept` stay as they are.

    Raises what the host raises, and AssayError if the sandbox itself fails.
    """
    said = {
        "command": program.command,
        "variables": dict(program.variables),
        "seconds": program.seconds,
        "own_space": "pid-namespace" in sandbox.isolation.measures,
        "asks": program.asks,
        "sends": list(program.sends),
        "paths": list(files),
    }
    buffers = {f"file{number}": np.frombuffer(data, np.uint8) for number, data in enumerate(files.values())}
    limits = Limits(
        seconds=program.seconds + _GRACE_SECONDS,
        memory_mb=program.memory_mb,
        processes=PROCESSES,
        scratch_mb=SCRATCH_MB,
        output_mb=OUTPUT_MB,
    )
    result = sandbox.run(Job(_INSIDE.read_text(), {}, encode({**said, **buffers}), limits, kept), host)
    if result.kind == "infrastructure":
        raise AssayError(f"the program could not be run: {result.message}", "see: assay doctor")
    code = (result.outputs or {}).get("exit_code")
    return Ended(code if isinstance(code, int) else None, _transcript(result))


def _transcript(result: Result) -> str:
    printed = (result.outputs or {}).get("transcript")
    text = printed.tobytes().decode("utf-8", "replace") if isinstance(printed, np.ndarray) else result.log_tail
    ending = "" if result.kind == "ok" else f"\n[{result.kind}: {result.message}]"
    return normalised(text, {}) + ending
