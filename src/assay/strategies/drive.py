"""Driving a strategy without a run: no model, no process, no journal. For simulation and for tests of strategies."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from assay.strategies.base import Strategy, Yielded
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


@dataclass
class Trace:
    """All that passed between a strategy and its world."""

    steps: list[Step] = field(default_factory=list)
    """By index, the baseline first."""
    yielded: list[Yielded] = field(default_factory=list)
    asks: int = 0
    ended: bool = False
    """Whether the strategy returned before its budget was spent."""


def drive(strategy: Strategy, world: World, steps: int) -> Trace:
    """Run a search for `steps` steps, as a run would: a batch that is larger than the rest of the budget is cut."""
    trace = Trace(steps=[world.start()])
    search = strategy.search(trace.steps[0])
    try:
        asked = next(search)
        while len(trace.steps) <= steps:
            trace.yielded.append(asked)
            if isinstance(asked, Ask):
                trace.asks += 1
                asked = search.send(world.answer(asked, trace.steps))
                continue
            requests = [asked] if isinstance(asked, Request) else list(asked)
            first = len(trace.steps)
            known = tuple(trace.steps) if len(requests) > 1 else trace.steps
            new = [world.step(r, known, first + i) for i, r in enumerate(requests[: steps + 1 - first])]
            trace.steps.extend(new)
            if len(trace.steps) <= steps:
                asked = search.send(new[0] if isinstance(asked, Request) else new)
    except StopIteration:
        trace.ended = True
    finally:
        search.close()
    return trace
