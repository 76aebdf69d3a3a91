"""What a run can cost at most, before it starts.

Requests are counted exactly: one a step, each with all its repairs. Questions depend on what is answered, so the
agent's own strategy is driven through synthetic worlds: landscapes with a silent model, the same with one that always
has something new to say, and one in which nothing proposed can ever be used. The largest count is taken.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.errors import UsageError
from assay.models.names import OFFLINE
from assay.models.prices import worst_case
from assay.models.usage import Usage
from assay.proposers.llm import worst_ask, worst_request
from assay.runs.agents import find_agent, searches
from assay.runs.spec import RunSpec
from assay.strategies.base import Setting
from assay.strategies.drive import World, drive
from assay.strategies.landscape import KINDS, Landscape
from assay.strategies.registry import find_strategy
from assay.strategies.request import Answer, Ask, Request, Step
from assay.tasks.outcome import Outcome
from assay.tasks.suites import find_task


def estimate(spec: RunSpec) -> Usage:
    """The most a run can use. `usd` is None if the model's price is not known, and 0 where no model is asked.

    Raises UsageError for an interactive agent that asks a model: it has no bound but its caps.
    """
    agent = find_agent(spec.agent)
    if spec.model == OFFLINE or agent.proposer != "model":
        return Usage()
    if not searches(agent):
        raise UsageError(
            f"what '{spec.agent}' can cost at most is not known: how long its conversation grows is its own choice",
            "cap it: --max-usd and --total-usd, or --max-tokens and --total-tokens",
        )
    task = find_task(spec.task)
    steps = spec.caps.steps or 0
    calls = worst_request(task, spec.settings) * steps + (worst_ask(task, spec.settings),) * _questions(spec, steps)
    total = worst_case(spec.model, calls)
    if spec.caps.usd is not None and total.usd is not None:
        # a cap is checked before each call, so the last one may go over it
        last = worst_case(spec.model, calls[:1]).usd or 0.0
        total = total.model_copy(update={"usd": min(total.usd, spec.caps.usd + last)})
    return total


@dataclass
class _Talkative:
    """A landscape whose model always has something new to say; a barren one never has a usable edit."""

    landscape: Landscape
    barren: bool
    said: int = 0

    def start(self) -> Step:
        return self.landscape.start()

    def step(self, request: Request, steps: Sequence[Step], index: int) -> Step:
        if not self.barren:
            return self.landscape.step(request, steps, index)
        parent = steps[request.parents[0]].candidate
        failed = Outcome(kind="unparsable", blame="agent")
        return Step(index=index, request=request, candidate=parent, outcome=failed)

    def answer(self, ask: Ask, steps: Sequence[Step]) -> Answer:
        self.said += 1
        return Answer(texts=tuple(f"text {self.said}.{number}" for number in range(ask.count)))


def _questions(spec: RunSpec, steps: int) -> int:
    strategy = find_strategy(spec.agent)
    params = strategy.Params.model_validate(spec.params)
    counts = []
    for kind in KINDS:
        landscape = Landscape(kind, spec.seed)
        setting = Setting(metric=landscape.metric, steps=steps, seed=spec.seed)
        worlds: list[World] = [landscape, _Talkative(landscape, False), _Talkative(landscape, True)]
        for world in worlds:
            asked = drive(strategy(params, setting), world, steps).yielded
            counts.append(sum(isinstance(item, Ask) for item in asked))
    return max(counts)
