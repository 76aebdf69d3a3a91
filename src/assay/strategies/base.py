"""The contract of a search strategy: a generator that yields requests and is sent steps."""

import math
import random
from abc import ABC, abstractmethod
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeVar

from assay.base import Frozen
from assay.strategies.memory import Memory
from assay.strategies.request import Answer, Ask, Request, Step
from assay.tasks.spec import Metric

Yielded = Request | Sequence[Request] | Ask
Sent = Any
"""A Step for a Request, a list of Steps in the same order for a list of Requests, an Answer for an Ask."""
Search = Generator[Yielded, Sent, None]
Result = TypeVar("Result")
Part = Generator[Yielded, Sent, Result]
"""A piece of a search, for `yield from`."""


class Params(Frozen):
    """Base of a strategy's parameters: typed fields with documented defaults."""

    presets: ClassVar[dict[str, dict[str, Any]]] = {}
    """Named sets of values that differ from the defaults."""


AnyParams = Params
"""The same under a name that a class attribute `Params` does not hide."""


@dataclass(frozen=True)
class Setting:
    """All that a strategy may know of its run besides the steps it is sent."""

    metric: Metric
    steps: int
    """The step budget. A run may end earlier for other reasons; it never goes on longer."""
    seed: int
    editable_lines: int = 0
    """Lines of the baseline's editable files."""
    solutions: int = 0
    """How many known-good solutions the task has; told to `oracle` alone."""


class Strategy(ABC):
    """A search algorithm.

    Pure: same setting and same steps in, same requests out. All randomness comes from `self.rng`. It never touches
    files, processes, models or clocks. It need not watch its budget: the run stops it by closing the generator.
    A strategy that returns ends the run early. One object is one search.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line for `assay list agents`."""
    Params: ClassVar[type[Params]] = Params
    proposer: ClassVar[Literal["model", "none", "solutions", "probes"]] = "model"
    """Who answers its requests: the run's model (or `offline`), nobody, the task's known-good solutions, or its probes,
    which must gain nothing."""

    def __init__(self, params: AnyParams, setting: Setting) -> None:
        self.params: Any = params
        self.setting = setting
        self.rng = random.Random(f"{self.name}/{setting.seed}")
        self.memory = Memory(setting.metric)

    @abstractmethod
    def search(self, start: Step) -> Search:
        """Yield requests for ever or until nothing is left to try. `start` is the baseline, which is always ok."""

    def attempt(self, request: Request) -> Part[Step]:
        """Yield one request, remember its step and return it."""
        step: Step = yield request
        self.memory.add(step)
        return step

    def attempts(self, requests: Sequence[Request]) -> Part[list[Step]]:
        """Yield requests that do not depend on each other as one batch, remember their steps and return them."""
        # a copy: what a run sends is the run's
        steps: list[Step] = list((yield list(requests)))
        for step in steps:
            self.memory.add(step)
        return steps

    def ask(self, ask: Ask) -> Part[tuple[str, ...]]:
        """Yield one question and return the texts that came back; may be none."""
        answer: Answer = yield ask
        return answer.texts

    def analyse(self, step: Step) -> Part[None]:
        """Have a step analysed, with its code, diff and output in view, and remember what was said."""
        texts = yield from self.ask(Ask(kind="analyse", steps=(step.index,)))
        self.memory.remark(step.index, " ".join(texts))

    def notes(self) -> tuple[str, ...]:
        """Sentences a user should read before the run starts, for example that the budget is too small to switch."""
        return ()

    def worth(self, step: Step) -> float:
        """The value of a step turned so that larger is better; minus infinity for a failed one."""
        if step.value is None:
            return -math.inf
        return step.value if self.setting.metric.direction == "max" else -step.value

    def better(self, a: Step, b: Step) -> bool:
        """Whether `a` is strictly better than `b`. A failed step is never better; anything ok beats a failed one."""
        if a.value is None:
            return False
        return b.value is None or self.setting.metric.better(a.value, b.value)
