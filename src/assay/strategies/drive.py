"""Driving a strategy without a run: no model, no process, no journal. For simulation and for tests of strategies."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from assay.errors import AssayError
from assay.strategies.base import Sent, Strategy, Yielded
from assay.strategies.request import Answer, Ask, Request, Step


class World(Protocol):
    """What answers a strategy. Deterministic in what it is given."""

    def start(self) -> Step:
        """The baseline, as step 0."""
        ...

    def step(self, request: Request, steps: Sequence[Step], index: int) -> Step:
        """Propose and evaluate. `steps` are those that were known when the request was made, by index."""
        ...

    def answer(self, ask: Ask, steps: Sequence[Step]) -> Answer: ...


PATIENCE = 1000
"""Questions in a row after which a strategy counts as stuck."""


@dataclass
class Trace:
    """All that passed between a strategy and its world."""

    steps: list[Step] = field(default_factory=list)
    """By index, the baseline first."""
    yielded: list[Yielded] = field(default_factory=list)
    sent: list[Sent] = field(default_factory=list)
    """What came back for each of `yielded`; one less where the budget ended the search."""
    ended: bool = False
    """Whether the strategy returned before its budget was spent."""


def drive(strategy: Strategy, world: World, steps: int, recorded: Sequence[Sent] = ()) -> Trace:
    """Run a search for `steps` steps, as a run would: a batch that is larger than the rest of the budget is cut.

    What is recorded is sent in place of the world's first replies: that is how a search is resumed. Raises AssayError
    for a strategy that asks and asks and requests nothing.
    """
    trace = Trace(steps=[world.start()])
    search = strategy.search(trace.steps[0])
    try:
        asked = next(search)
        while len(trace.steps) <= steps:
            trace.yielded.append(asked)
            number = len(trace.sent)
            sent = recorded[number] if number < len(recorded) else _reply(asked, world, trace.steps, steps)
            if not isinstance(sent, Answer):
                trace.steps.extend([sent] if isinstance(sent, Step) else sent)
            if len(trace.steps) <= steps:
                trace.sent.append(sent)
                _check_patience(strategy, trace)
                asked = search.send(sent)
    except StopIteration:
        trace.ended = True
    finally:
        search.close()
    return trace


def _reply(asked: Yielded, world: World, steps: list[Step], budget: int) -> Sent:
    first = len(steps)
    if isinstance(asked, Ask):
        return world.answer(asked, steps)
    if isinstance(asked, Request):
        return world.step(asked, steps, first)
    return [world.step(request, steps, first + i) for i, request in enumerate(asked[: budget + 1 - first])]


def _check_patience(strategy: Strategy, trace: Trace) -> None:
    if len(trace.sent) > PATIENCE and all(isinstance(sent, Answer) for sent in trace.sent[-PATIENCE:]):
        raise AssayError(
            f"{strategy.name} asked {PATIENCE} questions in a row without one request",
            "a strategy spends its budget on steps",
        )
