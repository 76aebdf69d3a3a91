"""What goes into the sandbox and what comes out of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from assay.base import Frozen
from assay.tasks.outcome import EvaluationClock
from assay.tasks.spec import Limits

ResultKind = Literal["ok", "crashed", "timeout", "out_of_memory", "invalid_output", "infrastructure"]


class Isolation(Frozen):
    """What stands between a candidate and the machine. Recorded with every run and shown by `assay doctor`."""

    level: Literal["full", "partial", "none"]
    """full: other user or user namespace, files by allow-list, no network, own process space. none: plain processes."""
    measures: tuple[str, ...] = ()
    """What is active, for example landlock-7, seccomp, pid-namespace, net-namespace, unprivileged-user, rlimits."""
    missing: tuple[str, ...] = ()
    """What this machine does not give, each with its reason."""


@dataclass(frozen=True)
class Job:
    """One process in the sandbox."""

    perform_source: str
    """Text of the task's perform.py; it defines `perform(candidate, inputs)`."""
    files: Mapping[str, str]
    """The workspace as the process sees it: the candidate's files and the fixed ones."""
    inputs: bytes
    """An encoded payload."""
    limits: Limits = field(default_factory=Limits)
    kept: Mapping[str, bytes] = field(default_factory=dict)
    """Further files, which the process can read and, where the machine permits, cannot change: by the mount they are
    on, and not by manners. Elsewhere they belong to another user."""


@dataclass(frozen=True)
class Result:
    """How the process ended. `outputs` is decoded and is set exactly when kind is ok."""

    kind: ResultKind
    outputs: dict[str, Any] | None = None
    message: str = ""
    log_tail: str = ""
    clock: EvaluationClock = field(default_factory=EvaluationClock)
