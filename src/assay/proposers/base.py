"""The contract of a proposer: from a request to a candidate."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from assay.base import Frozen
from assay.strategies.request import Answer, Ask, Request, Step, Usage
from assay.tasks.candidate import Candidate
from assay.tasks.load import Task
from assay.tasks.outcome import Outcome


class Proposal(Frozen):
    """What came of a request: a candidate that differs from its parent, or the outcome that says why there is none."""

    candidate: Candidate | None
    description: str = ""
    failure: Outcome | None = None
    """Set exactly when `candidate` is None: `no_change`, `unparsable` or `refused`."""
    usage: Usage = Usage()


@dataclass(frozen=True)
class View:
    """What a proposer may see: the task as the agent is told it, and the steps so far."""

    task: Task
    steps: Sequence[Step]
    """All steps so far by index; `steps[0]` is the baseline. Shared and growing: do not keep a reference."""
    seed: int
    """The run's seed."""
    moment: int
    """How many requests and asks came before this one: with `seed` it fixes all randomness of a proposer."""


class Proposer(Protocol):
    """Never runs code and never touches files. Deterministic in (request, view) but for what a model answers.

    Never raises for anything a model may answer: that becomes a `failure`. Raises BudgetReached when a cap is hit
    between two model calls.
    """

    def propose(self, request: Request, view: View) -> Proposal: ...

    def answer(self, ask: Ask, view: View) -> Answer: ...
