import pytest

from assay.strategies.conformance import PROPERTIES, Subject, check_strategy
from assay.strategies.registry import BUILT_IN, PRESETS, build_params, find_strategy


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
