"""What is kept of an interactive run's trace."""

from dataclasses import dataclass
from typing import Literal, get_args

Flag = Literal[
    "response_format",
    "context_exhausted",
    "infrastructure",
    "no_submission",
    "submission_format",
    "unrepaired_error",
    "unverified_claim",
    "debugging_loop",
    "bad_plan",
]
FLAGS: tuple[Flag, ...] = get_args(Flag)
OWN_ENDS = ("submitted", "program")
"""A search that its agent ended, and no cap."""


@dataclass(frozen=True)
class Conduct:
    """How an agent went about a run."""

    turns: int
    """Of its budget: memory work does not count."""
    executions: int
    failed: int
    """Executions that ended with an error or at a limit."""
    malformed: int = 0
    """Answers that were no action, those that a model was asked anew for included."""
    flags: tuple[Flag, ...] = ()
    """Everything that applies, in the order of FLAGS; none as long as the run is not over."""
    claims: tuple[str, ...] = ()
    """Results that it claims and that no execution showed, as they are written."""
