"""What every strategy must be able to do, checked on synthetic landscapes. For ours and for anybody's.

from assay.strategies.conformance import check_strategy

def test_my_strategy():
    check_strategy(MyStrategy)
"""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import get_args

import numpy as np

from assay.strategies.base import Params, Sent, Setting, Strategy, Yielded
from assay.strategies.drive import Trace, World, drive
from assay.strategies.landscape import Landscape
from assay.strategies.request import Answer, Ask, Request, Step
from assay.tasks.outcome import Kind, Outcome
from assay.tasks.spec import Metric

STEPS = 24
BUDGETS = (1, 2, 3, 7, STEPS)
FAILURES: tuple[Kind, ...] = tuple(kind for kind in get_args(Kind) if kind != "ok")
MAX = Metric(name="quality", direction="max", best=1.0)
MIN = Metric(name="quality", direction="min", best=-1.0)


@dataclass(frozen=True)
class Subject:
    """A strategy under test, made anew for every search."""

    strategy: type[Strategy]
    params: Params

    def run(self, world: World, steps: int = STEPS, metric: Metric = MAX, recorded: Sequence[Sent] = ()) -> Trace:
        return drive(self.make(steps, metric), world, steps, recorded)

    def make(self, steps: int = STEPS, metric: Metric = MAX) -> Strategy:
        return self.strategy(self.params, Setting(metric=metric, steps=steps, seed=0, editable_lines=8, solutions=2))


class Altered:
    """A landscape whose replies are changed on the way."""

    def __init__(self, alter: Callable[[Step], Step], wordy: bool = False) -> None:
        # where there are words there is little to find, so that what a strategy does when it is stuck is seen too
        self._landscape = Landscape("sparse" if wordy else "dense", seed=0)
        self._alter = alter
        self._wordy = wordy

    def start(self) -> Step:
        return self._landscape.start()

    def step(self, request: Request, steps: Sequence[Step], index: int) -> Step:
        return self._alter(self._landscape.step(request, steps, index))

    def answer(self, ask: Ask, steps: Sequence[Step]) -> Answer:
        return (
            Answer(texts=tuple(f"{ask.kind} {n} at {len(steps)}" for n in range(ask.count)))
            if self._wordy
            else Answer()
        )


class Mirrored(Altered):
    """The same landscape for a metric that is to be minimised: every value negated, the baseline's too."""

    def start(self) -> Step:
        return self._alter(super().start())


def spends_its_budget(subject: Subject) -> None:
    """Goes on until it is stopped, whatever the budget, or returns by itself; and never requests nothing."""
    for steps in BUDGETS:
        for world in (quiet(), wordy()):
            trace = subject.run(world, steps)
            taken = len(trace.steps) - 1
            assert taken == steps or (trace.ended and taken < steps), f"{taken} steps of a budget of {steps}"
            assert all(_requests(y) for y in trace.yielded if not isinstance(y, Ask)), "an empty batch was yielded"


def survives_failures(subject: Subject) -> None:
    """Nothing it asks for ever works: each kind of failure alone, and all of them mixed."""
    for kinds in (*((kind,) for kind in FAILURES), FAILURES):
        subject.run(failing(kinds))


def survives_nan(subject: Subject) -> None:
    """The first metric is not a number, which is an invalid output; the search goes on and is not spoilt by it."""
    nan = Outcome(kind="invalid_output", blame="agent", message="the metric is nan")
    trace = subject.run(Altered(lambda step: step.model_copy(update={"outcome": nan}) if step.index == 1 else step))
    assert not any(1 in request.parents[1:] for y in trace.yielded for request in _requests(y)), (
        "a step without a metric was offered as an example to draw upon"
    )


def is_deterministic(subject: Subject) -> None:
    """Equal settings and equal steps give equal requests, whatever else in the process drew random numbers."""
    for world in (quiet, wordy):
        first = subject.run(world())
        random.seed(12345)
        np.random.seed(12345)
        assert subject.run(world()).yielded == first.yielded, "two equal searches made different requests"


def resumes_anywhere(subject: Subject) -> None:
    """Fed with the record of its first replies, it goes on as if it had never stopped."""
    for world in (quiet, wordy):
        whole = subject.run(world())
        for known in range(len(whole.sent) + 1):
            resumed = subject.run(world(), recorded=[_read_back(sent) for sent in whole.sent[:known]])
            assert resumed.yielded == whole.yielded, f"resumed after {known} replies, it went another way"


def minds_the_direction(subject: Subject) -> None:
    """What is better upwards is better downwards: with all values negated it makes the same choices."""
    up = subject.run(quiet())
    down = subject.run(Mirrored(_negated), metric=MIN)
    choices = [[[(r.kind, r.parents) for r in _requests(y)] for y in trace.yielded] for trace in (up, down)]
    assert choices[0] == choices[1], "it makes other choices when the metric is to be minimised"


def knows_its_parents(subject: Subject) -> None:
    """Every parent of a request and every step of a question is one that it has been sent, or the baseline."""
    for world in (quiet(), wordy(), failing(("crashed",))):
        trace = subject.run(world)
        known = 1
        for number, asked in enumerate(trace.yielded):
            named = asked.steps if isinstance(asked, Ask) else [p for r in _requests(asked) for p in r.parents]
            assert all(0 <= index < known for index in named), f"{asked} names a step that there is not"
            assert all(request.parents for request in _requests(asked)), f"{asked} has no parent"
            if number < len(trace.sent):
                known += _steps_in(trace.sent[number])


def stops_when_told(subject: Subject) -> None:
    """Closed at any point, it ends without a word."""
    whole = subject.run(quiet())
    for stop in range(len(whole.sent) + 1):
        search = subject.make().search(quiet().start())
        next(search, None)
        for sent in whole.sent[:stop]:
            try:
                search.send(sent)
            except StopIteration:
                break
        search.close()


def has_sound_parameters(subject: Subject) -> None:
    """It has a name and a line about itself, and defaults and presets that are valid."""
    strategy = subject.strategy
    assert strategy.name and strategy.summary, "name and summary must be set"
    strategy.Params()
    for name, values in strategy.Params.presets.items():
        assert strategy.Params.model_validate(values), f"preset {name}"


PROPERTIES: dict[str, Callable[[Subject], None]] = {
    check.__name__: check
    for check in (
        has_sound_parameters,
        spends_its_budget,
        survives_failures,
        survives_nan,
        is_deterministic,
        resumes_anywhere,
        minds_the_direction,
        knows_its_parents,
        stops_when_told,
    )
}
"""All of them by name, for a test that is parametrised by property."""


def check_strategy(strategy: type[Strategy], params: Params | None = None) -> None:
    """Put a strategy through every property. Raises AssertionError that names the first one that does not hold."""
    subject = Subject(strategy, params or strategy.Params())
    for name, check in PROPERTIES.items():
        try:
            check(subject)
        except Exception as error:
            raise AssertionError(f"{strategy.name}: {name}: {type(error).__name__}: {error}") from error


def quiet() -> Altered:
    """A landscape that answers no questions."""
    return Altered(lambda step: step)


def wordy() -> Altered:
    """The same, with an answer to every question."""
    return Altered(lambda step: step, wordy=True)


def failing(kinds: Sequence[Kind]) -> Altered:
    """A landscape on which every step fails, in these ways by turns."""
    turns = cycle(kinds)
    return Altered(lambda step: step.model_copy(update={"outcome": Outcome(kind=next(turns), blame="agent")}))


def _negated(step: Step) -> Step:
    if step.value is None:
        return step
    return step.model_copy(update={"outcome": Outcome(kind="ok", value=-step.value)})


def _requests(asked: Yielded) -> Sequence[Request]:
    return [] if isinstance(asked, Ask) else [asked] if isinstance(asked, Request) else asked


def _steps_in(sent: Sent) -> int:
    return 0 if isinstance(sent, Answer) else 1 if isinstance(sent, Step) else len(sent)


def _read_back(sent: Sent) -> Sent:
    """A reply as a journal would give it back: equal, and not the same object."""
    if isinstance(sent, list):
        return [_read_back(step) for step in sent]
    return type(sent).model_validate_json(sent.model_dump_json())
