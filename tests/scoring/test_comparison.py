"""Is A better than B: tests of known size, corrections worked by hand, and budgets made equal."""

from itertools import pairwise
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.errors import UsageError
from assay.models.usage import Usage
from assay.scoring.budget import common_budget, improvement_at
from assay.scoring.comparison import (
    compare_all,
    effect_size,
    holm,
    permutation_test,
    seeds_needed,
    wilcoxon_test,
)
from assay.scoring.scores import load_scores
from assay.scoring.summary import RunSummary


def test_the_exact_test_counts_sign_patterns() -> None:
    # five differences of one sign: only the two patterns of equal signs are as extreme
    assert permutation_test([np.array([1.0, 2.0, 3.0, 4.0, 5.0])]) == pytest.approx(2 / 32)
    assert permutation_test([np.array([1.0, -1.0])]) == 1.0
    assert permutation_test([np.zeros(4)]) == 1.0


def test_many_pairs_are_sampled_and_close_to_the_exact_answer() -> None:
    rng = np.random.default_rng(0)
    differences = rng.normal(0.4, 1, 40)
    sampled = permutation_test([differences])
    assert sampled == permutation_test([differences])
    from scipy.stats import ttest_1samp

    assert sampled == pytest.approx(ttest_1samp(differences, 0).pvalue, abs=0.01)


def test_wilcoxon_of_clear_and_of_no_difference() -> None:
    assert wilcoxon_test(np.arange(1.0, 9.0)) == pytest.approx(2 / 2**8)
    assert wilcoxon_test(np.zeros(5)) == 1.0


def test_holm_worked_by_hand() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]


@given(st.lists(st.floats(0, 1), max_size=8))
def test_holm_keeps_the_order_and_never_lowers_a_p_value(values: list[float]) -> None:
    corrected = holm(values)
    assert all(after >= before for after, before in zip(corrected, values, strict=True))
    ordered = [corrected[i] for i in sorted(range(len(values)), key=lambda i: values[i])]
    assert all(a <= b for a, b in pairwise(ordered))


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(-1, 1), min_size=1, max_size=10))
def test_swapping_the_two_sides_changes_signs_only(values: list[float]) -> None:
    forward, backward = [np.array(values)], [-np.array(values)]
    assert permutation_test(forward) == permutation_test(backward)
    assert 0 < permutation_test(forward) <= 1
    one, other = effect_size(forward).value, effect_size(backward).value
    assert (one is None) == (other is None)
    assert one is None or one == pytest.approx(-(other or 0))
    assert seeds_needed(forward) == seeds_needed(backward)


def test_effect_size_is_cohens_d_of_the_pairs() -> None:
    assert effect_size([np.array([1.0, 2.0, 3.0])]).value == pytest.approx(2.0)
    assert effect_size([np.array([1.0])]).value is None
    assert effect_size([np.ones(5)]).value is None


def test_seeds_needed_are_those_of_the_power_formula() -> None:
    # d = 0.5 needs (1.96 + 0.84)² / 0.25 = 31.4 pairs: 32 seeds of one task, 16 of each of two
    differences = 0.5 + np.array([1.0, -1.0]) / np.sqrt(2)
    assert seeds_needed([differences]) == 32
    assert seeds_needed([differences[:1], differences[1:]]) == 16
    assert seeds_needed([np.zeros(3)]) is None


@pytest.fixture
def two_agents(tmp_path: Path, journals: ModuleType) -> dict[str, list[RunSummary]]:
    """`fast` is at 0.6 after one dear step, `slow` at 0.7 after four cheap ones; both on two tasks with three seeds."""
    step, run = journals.Step, journals.Run
    dear, cheap = Usage(calls=1, input_tokens=4000, usd=0.4), Usage(calls=1, input_tokens=1000, usd=0.1)
    for task in ("made-up/one", "made-up/two"):
        for seed in range(3):
            shift = 0.01 * seed
            fast = [step(0.6 + shift, usage=dear, seconds=10.0)]
            slow = [step(0.5 + 0.05 * n + shift, usage=cheap, seconds=10.0) for n in range(1, 5)]
            journals.write_run(tmp_path, run(agent="fast", task=task, seed=seed, steps=fast, test=0.6 + shift))
            journals.write_run(tmp_path, run(agent="slow", task=task, seed=seed, steps=slow, test=0.7 + shift))
    runs = load_scores(tmp_path).runs
    return {name: [run for run in runs if run.agent == name] for name in ("fast", "slow")}


def test_who_is_ahead_depends_on_the_budget(two_agents: dict[str, list[RunSummary]]) -> None:
    found = {each.view: each for each in compare_all(two_agents)}
    assert found["final"].difference.value == pytest.approx(-0.1)
    assert found["final"].pairs == 6
    assert found["final"].tasks == 2
    assert found["final"].p == pytest.approx(2 / 64)
    assert found["final"].wins == 0.0
    # one step: 0.1 against 0.05; 4000 tokens: 0.1 against 0.2; ten seconds: 0.1 against 0.05
    assert found["steps"].difference.value == pytest.approx(0.05)
    assert found["tokens"].difference.value == pytest.approx(-0.1)
    assert found["usd"].difference.value == pytest.approx(-0.1)
    assert found["hours"].difference.value == pytest.approx(0.05)
    assert found["steps"].budget == "1"


def test_a_budget_that_was_not_spent_has_no_view(tmp_path: Path, journals: ModuleType) -> None:
    for agent in ("a", "b"):
        journals.write_run(tmp_path, journals.Run(agent=agent, steps=[journals.Step(0.6)], test=0.6))
    runs = load_scores(tmp_path).runs
    assert common_budget(runs, "tokens") is None
    assert {each.view for each in compare_all({"a": [runs[0]], "b": [runs[1]]})} == {"final", "steps", "hours"}


def test_before_the_first_step_is_over_nothing_is_gained(two_agents: dict[str, list[RunSummary]]) -> None:
    run = two_agents["fast"][0]
    assert improvement_at(run, "tokens", 3999) == 0.0
    assert improvement_at(run, "tokens", 4000) == pytest.approx(0.1)


def test_runs_without_a_counterpart_cannot_be_compared(tmp_path: Path, journals: ModuleType) -> None:
    journals.write_run(tmp_path, journals.Run(agent="a", task="made-up/one", steps=[journals.Step(0.6)], test=0.6))
    journals.write_run(tmp_path, journals.Run(agent="b", task="made-up/two", steps=[journals.Step(0.6)], test=0.6))
    a, b = load_scores(tmp_path).runs
    with pytest.raises(UsageError, match="no finished runs of the same task and seed"):
        compare_all({"a": [a], "b": [b]})
