"""What a run may spend, and what it has spent."""

from dataclasses import dataclass, field
from typing import Literal

from assay.runs.spec import Caps
from assay.strategies.request import Usage

Reason = Literal["steps", "tokens", "usd", "hours"]


class BudgetReached(Exception):
    """A cap is reached: the search ends cleanly, with its test. Raised before a step or a model call, never after."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass
class Spent:
    """Running totals."""

    steps: int = 0
    usage: Usage = field(default_factory=Usage)
    seconds: float = 0.0


def reached(caps: Caps, spent: Spent) -> Reason | None:
    """The first cap that is reached, or None. Dollars of calls without a known price cannot count and do not."""
    if caps.steps is not None and spent.steps >= caps.steps:
        return "steps"
    if caps.tokens is not None and spent.usage.tokens >= caps.tokens:
        return "tokens"
    if caps.usd is not None and spent.usage.usd is not None and spent.usage.usd >= caps.usd:
        return "usd"
    if caps.hours is not None and spent.seconds >= caps.hours * 3600:
        return "hours"
    return None
