"""The events of a journal, one a line of `events.jsonl`. Schema version 1.

Every event has `type` and `clock`. All that differs between two equal runs is inside `clock`: drop that key and the
journals are the same to the byte. Texts are stored once as blobs; events hold their digests.
"""

from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from assay.base import Frozen
from assay.strategies.request import Ask, Request, Usage
from assay.tasks.outcome import EvaluationClock, Kind, Outcome


class Clock(Frozen):
    """When and how long. `at` is seconds since the epoch."""

    at: float
    seconds: float = 0.0
    """Wall clock spent on what the event reports."""
    evaluation: EvaluationClock | None = None


class Recorded(Frozen):
    """An outcome as it is stored: its clock moves to the event's, its log to a blob."""

    kind: Kind
    blame: Literal["agent", "task", "infrastructure", "harness"] | None = None
    message: str = ""
    value: float | None = None
    metrics: dict[str, float] = {}
    stderrs: dict[str, float] = {}
    constraints: tuple[dict[str, float | str | bool], ...] = ()
    log: str = ""
    """Digest of the log's tail; empty if nothing was printed."""


class Called(Frozen):
    """One call of a model, written before its answer is used, so that it is never paid for twice."""

    type: Literal["called"] = "called"
    clock: Clock
    key: str
    """Digest of everything that decides the answer: model, settings, messages, tools."""
    prompt: str
    """Digest of the rendered prompt."""
    answer: str
    """Digest of the answer's text."""
    calls: str = Field("", exclude_if=lambda digest: not digest)
    """Digest of the tool calls in the answer and their state, as JSON; empty, and not written, if there are none."""
    stop: str = ""
    """Why the model stopped, in the provider's words; `refused` and `empty` in ours."""
    usage: Usage


class Asked(Frozen):
    """An Ask and its answer."""

    type: Literal["asked"] = "asked"
    clock: Clock
    ask: Ask
    """Its memory is the digest of the text."""
    texts: tuple[str, ...]
    """Digests of the answer's texts."""
    usage: Usage


class Proposed(Frozen):
    """A candidate before its evaluation: on disk first, so that a crash repeats the evaluation and no model call."""

    type: Literal["proposed"] = "proposed"
    clock: Clock
    step: int
    request: Request
    """Its memory is the digest of the text."""
    files: dict[str, str]
    """Path → digest of the text. Where nothing usable was proposed, the first parent's files."""
    candidate: str
    """The candidate's digest."""
    description: str
    failure: Recorded | None = None
    """Set where there is nothing to evaluate: unparsable, refused, no_change."""
    usage: Usage


class Stepped(Frozen):
    """The validation outcome of a step. Step 0 is the baseline and has no Proposed before it."""

    type: Literal["stepped"] = "stepped"
    clock: Clock
    step: int
    candidate: str
    outcome: Recorded
    repeats: int | None = None
    """The earlier step whose outcome answers this one, because the candidate is the same; nothing was evaluated."""


Reason = Literal[
    "steps", "tokens", "usd", "hours", "strategy", "sweep-steps", "sweep-tokens", "sweep-usd", "sweep-hours"
]
"""Which cap ended a search, of the run or of the whole sweep, or `strategy` if it had nothing more to ask."""


class Searched(Frozen):
    """The search is over; the test follows."""

    type: Literal["searched"] = "searched"
    clock: Clock
    reason: Reason
    best: int
    """The best step by validation; 0 if nothing beat the baseline."""


class Tested(Frozen):
    """The one evaluation on test. `who` is the best step by validation; the baseline is measured beside it."""

    type: Literal["tested"] = "tested"
    clock: Clock
    who: Literal["baseline", "best"]
    step: int
    outcome: Recorded


class Finished(Frozen):
    """The run is complete: nothing follows."""

    type: Literal["finished"] = "finished"
    clock: Clock
    reason: Reason
    best: int
    """As in Searched, repeated so that the last line tells how a run ended."""


Event = Annotated[Called | Asked | Proposed | Stepped | Searched | Tested | Finished, Field(discriminator="type")]
EVENT: TypeAdapter[Event] = TypeAdapter(Event)


def record(outcome: Outcome, log: str) -> Recorded:
    """An outcome for the journal; `log` is the digest under which its tail is stored."""
    return Recorded(
        kind=outcome.kind,
        blame=outcome.blame,
        message=outcome.message,
        value=outcome.value,
        metrics=outcome.metrics,
        stderrs=outcome.stderrs,
        constraints=tuple(c.model_dump() for c in outcome.constraints),
        log=log,
    )
