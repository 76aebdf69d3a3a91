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
    "steps",
    "tokens",
    "usd",
    "hours",
    "strategy",
    "sweep-steps",
    "sweep-tokens",
    "sweep-usd",
    "sweep-hours",
    "submitted",
    "turns",
    "format",
    "context",
    "program",
]
"""Which cap ended a search, of the run or of the whole sweep; `strategy` if that had nothing more to ask.

An interactive agent `submitted`, used up its `turns`, gave no answer that could be read (`format`) or outgrew its
model's `context`; an agent that is a `program` came to its end."""

ActKind = Literal["ok", "error", "model", "format", "unknown", "arguments", "closed", "end"]
"""How an action ended: as meant; refused or failed by the environment; a model failed in it; the agent's answer could
not be read; no such action; wrong arguments; the environment was closed; it was the last."""


class Primitive(Frozen):
    """A low-level action that a turn came down to."""

    action: str
    arguments: str
    """Digest of the arguments as JSON, as below."""
    observation: str


class Acted(Frozen):
    """One turn of an interactive agent: what it said, what it did, what it saw, and what that changed."""

    type: Literal["acted"] = "acted"
    clock: Clock
    turn: int
    said: str = ""
    """Digest of the agent's own words; empty if it needed none."""
    action: str
    arguments: str
    """Digest of the arguments as JSON: an object, or a text where they could not be read."""
    kind: ActKind
    observation: str
    """Digest of what the environment answered. Where the turn asked for a validation, the step's outcome follows it."""
    shown: str = ""
    """Digest of the summary that the agent was shown in its place; empty if it was shown as it is."""
    primitives: tuple[Primitive, ...] = ()
    changes: dict[str, str] = {}
    """Files of the workspace that are other than before: path → digest of the content, empty if it is gone."""
    exit_code: int | None = None
    """Of the script that the turn ran; None if it ran none, or if the script was killed at a limit."""
    ran: str = ""
    """The script that the turn ran."""
    retries: int = 0
    """How many answers of the agent's model could not be used before the one that led to this."""
    bookkeeping: bool = False
    """The agent's own memory work, which is no turn of its budget."""
    validates: bool = False
    """A step follows: the workspace as it is after this turn."""
    ends: Reason | None = None
    """Why this turn is the last."""


class Searched(Frozen):
    """The search is over; the test follows."""

    type: Literal["searched"] = "searched"
    clock: Clock
    reason: Reason
    best: int
    """The step that is tested: the best by validation, or what an interactive agent submitted; 0 is the baseline."""


class Tested(Frozen):
    """The one evaluation on test. `best` is the step that Searched names; the baseline is measured beside it."""

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


Event = Annotated[
    Called | Asked | Acted | Proposed | Stepped | Searched | Tested | Finished, Field(discriminator="type")
]
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
