import json

import numpy as np
import pytest
from click.testing import CliRunner

from assay.cli.simulate import command
from assay.errors import UsageError
from assay.strategies.registry import find_strategy
from assay.strategies.simulate import interval, simulate


def found(agent: str, landscape: str, runs: int = 40, steps: int = 100):
    strategy = find_strategy(agent)
    return simulate(strategy, strategy.Params(), landscape, runs, steps)


def test_greedy_search_wins_where_opportunities_are_dense() -> None:
    greedy = found("autoresearch", "dense")
    for rival in ("aira_mcts", "openevolve", "ai_scientist_v2"):
        assert greedy.low > found(rival, "dense").high, rival


def test_tree_search_wins_where_opportunities_are_sparse() -> None:
    greedy = found("autoresearch", "sparse")
    for rival in ("aide", "aira_mcts", "ai_scientist_v2"):
        assert found(rival, "sparse").low > greedy.high, rival


def test_a_search_that_does_nothing_finds_the_baseline() -> None:
    nothing = found("nop", "dense", runs=5, steps=5)
    assert nothing.mean == nothing.baseline and nothing.solved == 0


def test_the_interval_holds_the_mean_and_shrinks_with_more_runs() -> None:
    values = np.random.default_rng(1).normal(size=400)
    few, many = interval(values[:25]), interval(values)
    assert few[0] < values[:25].mean() < few[1]
    assert many[1] - many[0] < few[1] - few[0]
    assert interval(values) == many


def test_the_command_prints_a_row_for_each_strategy_and_json_for_machines() -> None:
    table = CliRunner().invoke(command, ["--agent", "aide,nop", "--runs", "3", "--steps", "10"])
    assert table.exit_code == 0
    assert all(word in table.stdout for word in ("aide", "nop", "(baseline)", "sparse", "deceptive"))
    call = ["--agent", "aide", "--landscape", "noisy", "--runs", "3", "--steps", "10", "--json", "aide.num_drafts=2"]
    cells = json.loads(CliRunner().invoke(command, call).stdout)
    assert [(c["agent"], c["landscape"], c["runs"], c["steps"]) for c in cells] == [("aide", "noisy", 3, 10)]
    assert cells[0]["low"] <= cells[0]["mean"] <= cells[0]["high"]


def test_all_means_every_strategy_that_searches() -> None:
    result = CliRunner().invoke(command, ["--landscape", "dense", "--runs", "1", "--steps", "3", "--json"])
    assert len(json.loads(result.stdout)) == 7


@pytest.mark.parametrize(
    "call",
    [["--landscape", "spares"], ["--agent", "aidee"], ["--agent", "oracle"], ["--agent", "aide", "aide.drafts=2"]],
)
def test_a_wrong_call_is_refused_before_anything_runs(call: list[str]) -> None:
    with pytest.raises(UsageError):
        CliRunner().invoke(command, call, catch_exceptions=False)
