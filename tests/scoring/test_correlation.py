"""Correlations against scipy, and the case in which the pooled figure misleads."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from assay.scoring.correlation import correlations, dense_tasks, ranks, spearman, spearman_within
from assay.scoring.scores import load_scores


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=4, max_size=20))
def test_pooled_is_scipys_spearman(pairs: list[tuple[int, int]]) -> None:
    from scipy.stats import spearmanr

    x, y = np.array(pairs, np.float64).T
    assume(len(set(x)) > 1 and len(set(y)) > 1)
    theirs = spearmanr(x, y)
    ours = spearman(x, y)
    assert ours is not None
    assert ours == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-9)


def test_ranks_share_ties() -> None:
    assert ranks(np.array([3.0, 1.0, 3.0, 2.0])).tolist() == [3.5, 1.0, 3.5, 2.0]


def test_tasks_alone_can_make_a_pooled_correlation() -> None:
    # within each task more of x goes with less of y; across tasks the easy one has more of both
    x = np.array([1.0, 2, 3, 11, 12, 13])
    y = np.array([3.0, 2, 1, 13, 12, 11])
    groups = np.array(["hard"] * 3 + ["easy"] * 3)
    pooled, within = spearman(x, y), spearman_within(x, y, groups)
    assert pooled is not None and pooled[0] > 0.4
    assert within is not None and within[0] == pytest.approx(-1.0)


def test_too_few_or_constant_values_say_nothing() -> None:
    assert spearman(np.array([1.0, 2.0]), np.array([1.0, 2.0])) is None
    assert spearman(np.ones(5), np.arange(5.0)) is None
    assert spearman_within(np.arange(3.0), np.arange(3.0), np.array(["a", "b", "c"])) is None


def test_tasks_are_dense_by_the_share_of_steps_that_improve(tmp_path: Path, journals: ModuleType) -> None:
    shares = {"made-up/rich": [0.6, 0.7, 0.8, 0.4], "made-up/poor": [0.4, 0.3, 0.6, 0.2], "made-up/dry": [0.1, 0.2]}
    for task, values in shares.items():
        steps = [journals.Step(value) for value in values]
        journals.write_run(tmp_path, journals.Run(task=task, steps=steps, test=0.6))
    assert dense_tasks(load_scores(tmp_path).runs) == {"made-up/rich", "made-up/poor"}


def test_measures_without_values_are_left_out(tmp_path: Path, journals: ModuleType) -> None:
    journals.write_sweep(tmp_path, agents=2, tasks=2, seeds=3, steps=8)
    found = {each.key: each for each in correlations(load_scores(tmp_path))}
    assert "spread" not in found
    assert found["auc_over_steps"].runs == 12
    assert found["auc_over_steps"].within is not None
