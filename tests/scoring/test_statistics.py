"""Estimates from few seeds: worked by hand, against known intervals, and where there is nothing to estimate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.scoring.statistics import Estimate, interquartile_mean, mean_ranks, stratified_means, win_rates

values = st.lists(st.floats(0, 1), min_size=1, max_size=6)


def strata(*groups: list[float]) -> list[np.ndarray]:
    return [np.array(group, np.float64) for group in groups]


def columns(*groups: list[float]) -> list[np.ndarray]:
    return [group[:, None] for group in strata(*groups)]


def test_tasks_count_alike_whatever_their_number_of_seeds() -> None:
    assert stratified_means(columns([0.0, 0.0, 0.0], [1.0]))[0].value == pytest.approx(0.5)


def test_one_seed_a_task_gives_no_interval() -> None:
    assert stratified_means(columns([0.2], [0.4])) == [Estimate(pytest.approx(0.3))]
    assert interquartile_mean(strata([0.2], [0.4])) == Estimate(pytest.approx(0.3))
    assert mean_ranks([strata([0.2]), strata([0.4])]) == [Estimate(2.0), Estimate(1.0)]


def test_no_data_at_all() -> None:
    assert stratified_means([]) == []
    assert interquartile_mean([]) == Estimate(None)
    assert mean_ranks([]) == []
    assert mean_ranks([[], []]) == [Estimate(None), Estimate(None)]
    assert win_rates([strata([1.0])]) == [Estimate(None)]


def test_what_is_undefined_is_left_out() -> None:
    first, second = stratified_means([np.array([[1.0, np.nan], [3.0, np.nan]]), np.array([[np.nan, np.nan]])])
    assert first.value == pytest.approx(2.0)
    assert second == Estimate(None)


def test_the_interval_is_that_of_the_theory() -> None:
    sample = np.random.default_rng(1).normal(0, 1, 400)
    found = stratified_means([sample[:, None]])[0]
    assert found.low is not None and found.high is not None
    half = 1.96 * sample.std(ddof=1) / 20
    assert found.low == pytest.approx(sample.mean() - half, abs=0.15 * half)
    assert found.high == pytest.approx(sample.mean() + half, abs=0.15 * half)


def test_the_same_data_give_the_same_interval() -> None:
    groups = columns([0.1, 0.4, 0.3], [0.9, 0.7, 0.2])
    assert stratified_means(groups) == stratified_means(groups)


def test_the_interquartile_mean_leaves_out_the_tails() -> None:
    assert interquartile_mean(strata([0, 1, 2, 3], [100, -100, 1, 2])).value == pytest.approx(1.5)


def test_ranks_share_ties() -> None:
    cells = [strata([0.5], [0.1]), strata([0.5], [0.9]), strata([0.2], [0.4])]
    assert [rank.value for rank in mean_ranks(cells)] == [2.25, 1.25, 2.5]


def test_wins_count_pairs_of_runs_and_ties_half() -> None:
    cells = [strata([1.0, 0.0]), strata([0.5, 0.0])]
    # of four pairs: 1 > 0.5, 1 > 0, 0 < 0.5, 0 = 0
    assert [rate.value for rate in win_rates(cells)] == [0.625, 0.375]


@settings(deadline=None, max_examples=30)
@given(st.lists(st.tuples(values, values), min_size=1, max_size=4))
def test_estimates_lie_within_their_bounds(cells: list[tuple[list[float], list[float]]]) -> None:
    first, second = strata(*(a for a, _ in cells)), strata(*(b for _, b in cells))
    mean = stratified_means([group[:, None] for group in first])[0]
    everything = np.concatenate(first)
    assert mean.value is not None and everything.min() - 1e-9 <= mean.value <= everything.max() + 1e-9
    if mean.low is not None and mean.high is not None:
        assert everything.min() - 1e-9 <= mean.low <= mean.high <= everything.max() + 1e-9
    ranks = [rank.value or 0 for rank in mean_ranks([first, second])]
    assert sum(ranks) == pytest.approx(3.0)
    rates = [rate.value or 0 for rate in win_rates([first, second])]
    assert sum(rates) == pytest.approx(1.0)


@settings(deadline=None, max_examples=30)
@given(st.lists(values, min_size=1, max_size=4))
def test_the_order_of_seeds_and_tasks_changes_no_mean(groups: list[list[float]]) -> None:
    turned = [group[::-1] for group in groups[::-1]]
    assert stratified_means(columns(*groups))[0].value == pytest.approx(stratified_means(columns(*turned))[0].value)
    assert interquartile_mean(strata(*groups)).value == pytest.approx(interquartile_mean(strata(*turned)).value)
