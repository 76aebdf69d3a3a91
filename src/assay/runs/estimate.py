"""What a run can cost at most, before it starts.

Requests are counted exactly: one a step, each with all its repairs. Questions are counted by driving the agent's own
strategy on synthetic landscapes, where most depends on how often candidates fail; the largest count is taken.
"""

from assay.models.names import OFFLINE
from assay.models.prices import worst_case
from assay.models.usage import Usage
from assay.proposers.llm import worst_ask, worst_request
from assay.runs.spec import RunSpec
from assay.strategies.base import Setting
from assay.strategies.drive import drive
from assay.strategies.landscape import KINDS, Landscape
from assay.strategies.registry import find_strategy
from assay.strategies.request import Ask
from assay.tasks.suites import find_task


def estimate(spec: RunSpec) -> Usage:
    """The most a run can use. `usd` is None if the model's price is not known, and 0 where no model is asked."""
    strategy = find_strategy(spec.agent)
    if spec.model == OFFLINE or strategy.proposer != "model":
        return Usage()
    task = find_task(spec.task)
    steps = spec.caps.steps or 0
    calls = worst_request(task, spec.settings) * steps + (worst_ask(task, spec.settings),) * _questions(spec, steps)
    total = worst_case(spec.model, calls)
    tokens, usd = spec.caps.tokens, spec.caps.usd
    if tokens is not None and total.tokens > tokens:
        # a cap is checked before each call, so the last one may go over it
        total = total.model_copy(update={"output_tokens": max(0, tokens - total.input_tokens) + calls[0].tokens})
    if usd is not None and total.usd is not None:
        last = worst_case(spec.model, calls[:1]).usd or 0.0
        total = total.model_copy(update={"usd": min(total.usd, usd + last)})
    return total


def _questions(spec: RunSpec, steps: int) -> int:
    strategy = find_strategy(spec.agent)
    params = strategy.Params.model_validate(spec.params)
    counts = []
    for kind in KINDS:
        landscape = Landscape(kind, spec.seed)
        setting = Setting(metric=landscape.metric, steps=steps, seed=spec.seed)
        asked = drive(strategy(params, setting), landscape, steps).yielded
        counts.append(sum(isinstance(item, Ask) for item in asked))
    return max(counts)
