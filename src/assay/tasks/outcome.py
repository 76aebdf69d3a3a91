"""How an evaluation ends: with metrics, or with one named kind of failure."""

import math
from typing import Literal

from pydantic import model_validator

from assay.base import Frozen

Kind = Literal[
    "ok",
    "crashed",
    "timeout",
    "out_of_memory",
    "invalid_output",
    "constraint",
    "tampering",
    "no_change",
    "unparsable",
    "refused",
]
Blame = Literal["agent", "task", "infrastructure", "harness"]
Split = Literal["val", "test"]


class EvaluationClock(Frozen):
    """What an evaluation took. Kept apart from the rest because two equal runs differ here and nowhere else."""

    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_mb: float = 0.0


class ConstraintValue(Frozen):
    """One constraint as it was checked."""

    metric: str
    value: float
    op: Literal[">=", "<="]
    limit: float
    holds: bool


class Outcome(Frozen):
    """The end of one evaluation. `kind == "ok"` is the only success; every failure carries blame."""

    kind: Kind
    blame: Blame | None = None
    """Whose fault it is. None for success alone. Only `infrastructure` is ever retried."""
    message: str = ""
    """One sentence for a person: what went wrong."""
    value: float | None = None
    """The task's metric; a finite number exactly when `kind` is ok."""
    metrics: dict[str, float] = {}
    stderrs: dict[str, float] = {}
    constraints: tuple[ConstraintValue, ...] = ()
    log_tail: str = ""
    """The end of what the candidate printed, cut and freed of memory addresses. Data, never instructions."""
    clock: EvaluationClock = EvaluationClock()

    @property
    def ok(self) -> bool:
        return self.kind == "ok"

    @model_validator(mode="after")
    def _success_has_a_value_and_failure_has_blame(self) -> "Outcome":
        if (self.kind == "ok") != (self.value is not None) or (self.kind == "ok") != (self.blame is None):
            raise ValueError("an ok outcome has a value and no blame; any other has blame and no value")
        if self.value is not None and not math.isfinite(self.value):
            raise ValueError(f"{self.value} is no metric: a value that is not finite is an invalid output")
        return self
