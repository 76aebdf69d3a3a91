"""A world that a test writes down: what comes of each request, and what is answered to each question."""

from collections.abc import Callable, Sequence
from typing import Protocol

import pytest

from assay.strategies.base import Setting
from assay.strategies.drive import Trace, drive
from assay.strategies.registry import build_params, find_strategy
from assay.strategies.request import Answer, Ask, Request, Step
from assay.tasks.candidate import Candidate
from assay.tasks.outcome import Outcome
from assay.tasks.spec import Metric

Result = float | str
"""A metric, or a kind of failure."""


class Written:
    def __init__(
        self,
        results: Callable[[int, Request], Result],
        answers: Callable[[Ask], Sequence[str]],
        code: Callable[[int], str],
    ) -> None:
        self._results = results
        self._answers = answers
        self._code = code

    def start(self) -> Step:
        return Step(index=0, request=None, candidate=self._candidate(0), outcome=Outcome(kind="ok", value=0.5))

    def step(self, request: Request, steps: Sequence[Step], index: int) -> Step:
        result = self._results(index, request)
        outcome = (
            Outcome.model_validate({"kind": result, "blame": "agent"})
            if isinstance(result, str)
            else Outcome(kind="ok", value=result)
        )
        nothing = result in ("no_change", "refused", "unparsable")
        candidate = steps[request.parents[0]].candidate if nothing else self._candidate(index)
        return Step(index=index, request=request, candidate=candidate, description=f"change {index}", outcome=outcome)

    def answer(self, ask: Ask, steps: Sequence[Step]) -> Answer:
        return Answer(texts=tuple(self._answers(ask)))

    def _candidate(self, index: int) -> Candidate:
        return Candidate(files={"algorithm.py": self._code(index)})


class Play(Protocol):
    def __call__(
        self,
        agent: str,
        steps: int,
        results: Callable[[int, Request], Result],
        answers: Callable[[Ask], Sequence[str]] = ...,
        code: Callable[[int], str] = ...,
        direction: str = ...,
        preset: str | None = ...,
        **params: str,
    ) -> Trace: ...


@pytest.fixture
def play() -> Play:
    """Run a strategy by name in a world that the test writes down. The baseline has the value 0.5."""

    def run(
        agent,
        steps,
        results,
        answers=lambda ask: (),
        code=lambda i: f"a = 1\nb = {i}\n",
        direction="max",
        preset=None,
        **params,
    ):  # type: ignore[no-untyped-def]
        strategy = find_strategy(agent)
        metric = Metric(name="accuracy", direction=direction, best=1.0, worst=0.0)
        setting = Setting(metric=metric, steps=steps, seed=0)
        return drive(strategy(build_params(strategy, preset, params), setting), Written(results, answers, code), steps)

    return run
