"""Autoresearch: greedy hill climbing with one idea at a time."""

from typing import ClassVar

from pydantic import Field

from assay.strategies.base import Params, Part, Search, Strategy
from assay.strategies.request import Ask, Request, Step


class AutoresearchParams(Params):
    """The published agent and its original agree in these."""

    max_debug_retries: int = Field(3, ge=1)
    """Consecutive failures that end an idea: the first try and at most this many less one attempts to mend it."""


class Autoresearch(Strategy):
    """Propose an idea, implement it on the incumbent, mend what fails, keep it only if it beats the incumbent.

    The incumbent starts as the measured baseline. A fix starts from the code that failed.
    """

    name = "autoresearch"
    summary = "greedy hill climbing: keep a change only if it beats the incumbent"
    Params: ClassVar[type[Params]] = AutoresearchParams

    def search(self, start: Step) -> Search:
        self.memory.add(start)
        incumbent = start
        while True:
            step = yield from climb(self, incumbent)
            if self.better(step, incumbent):
                incumbent = step


def climb(strategy: Strategy, incumbent: Step, guidance: str = "", origin: str = "") -> Part[Step]:
    """One idea tried on the incumbent and, while it fails, mended: the last step of it."""
    memory = strategy.memory.history()
    ideas = yield from strategy.ask(Ask(kind="ideate", steps=(incumbent.index,), guidance=guidance, memory=memory))
    idea = ideas[0] if ideas else ""
    parents = (incumbent.index,)
    step = yield from strategy.attempt(
        Request(kind="improve", parents=parents, idea=idea, guidance=guidance, memory=memory, origin=origin)
    )
    for _ in range(strategy.params.max_debug_retries - 1):
        if not step.buggy:
            break
        step = yield from strategy.attempt(
            Request(kind="debug", parents=(step.index,), idea=idea, memory=strategy.memory.history(), origin=origin)
        )
    return step
