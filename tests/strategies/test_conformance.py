import random

import pytest

from assay.strategies.base import Search, Strategy
from assay.strategies.conformance import PROPERTIES, Subject, check_strategy
from assay.strategies.registry import BUILT_IN, PRESETS, build_params, find_strategy
from assay.strategies.request import Ask, Request, Step


@pytest.mark.parametrize("check", PROPERTIES)
@pytest.mark.parametrize("agent", BUILT_IN)
def test_every_strategy_conforms(agent: str, check: str) -> None:
    strategy = find_strategy(agent)
    PROPERTIES[check](Subject(strategy, strategy.Params()))


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("agent", [name for name in BUILT_IN if find_strategy(name).Params.presets])
def test_every_preset_conforms(agent: str, preset: str) -> None:
    strategy = find_strategy(agent)
    check_strategy(strategy, build_params(strategy, preset, {}))


class Sound(Strategy):
    """The least that conforms; each of the others below breaks one thing."""

    name = "sound"
    summary = "improves the baseline"

    def search(self, start: Step) -> Search:
        while True:
            yield Request(kind="improve")


class Forgetful(Sound):
    def search(self, start: Step) -> Search:
        while True:
            yield Request(kind="improve", idea=str(random.random()))


class Clairvoyant(Sound):
    def search(self, start: Step) -> Search:
        while True:
            yield Request(kind="improve", parents=(99,))


class Idle(Sound):
    def search(self, start: Step) -> Search:
        yield []
        yield from super().search(start)


class Chatty(Sound):
    def search(self, start: Step) -> Search:
        while True:
            yield Ask(kind="ideate")


class Stubborn(Sound):
    def search(self, start: Step) -> Search:
        try:
            yield from super().search(start)
        except GeneratorExit:
            yield Request(kind="improve")


class Fragile(Sound):
    def search(self, start: Step) -> Search:
        step = start
        while True:
            assert step.outcome.kind != "timeout"
            step = yield Request(kind="improve")


class OneSided(Sound):
    def search(self, start: Step) -> Search:
        best = start
        while True:
            step = yield Request(kind="improve", parents=(best.index,))
            best = step if (step.value or 0.0) > (best.value or 0.0) else best


class Leaky(Sound):
    count = 0

    def search(self, start: Step) -> Search:
        while True:
            Leaky.count += 1
            yield Request(kind="improve", idea=str(Leaky.count))


def test_the_least_strategy_conforms() -> None:
    check_strategy(Sound)


@pytest.mark.parametrize(
    ("strategy", "broken"),
    [
        (Forgetful, "is_deterministic"),
        (Leaky, "is_deterministic"),
        (Clairvoyant, "spends_its_budget"),
        (Idle, "spends_its_budget"),
        (Chatty, "spends_its_budget"),
        (Stubborn, "spends_its_budget"),
        (Fragile, "survives_failures"),
        (OneSided, "minds_the_direction"),
    ],
)
def test_a_strategy_that_does_not_conform_is_told_where(strategy: type[Strategy], broken: str) -> None:
    with pytest.raises(AssertionError, match=f"sound: {broken}: "):
        check_strategy(strategy)


@pytest.mark.parametrize(("strategy", "broken"), [(Clairvoyant, "knows_its_parents"), (Stubborn, "stops_when_told")])
def test_each_property_sees_its_own_violation(strategy: type[Strategy], broken: str) -> None:
    with pytest.raises((AssertionError, RuntimeError, IndexError)):
        PROPERTIES[broken](Subject(strategy, strategy.Params()))
