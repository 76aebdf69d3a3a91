"""Exploration metrics against examples worked by hand and scikit-learn, and what holds for every set of vectors."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from assay.scoring.exploration import clusters, effective_dimension, explore, reach, spread

vectors = st.integers(1, 12).flatmap(
    lambda n: arrays(
        np.float32, (n, 5), elements=st.floats(-10, 10, width=32).filter(lambda x: x == 0 or abs(x) > 1e-3)
    )
)


def rows(*values: tuple[float, ...]) -> np.ndarray:
    return np.array(values, np.float32)


def test_spread_is_the_mean_distance_to_the_centre() -> None:
    # a square of side 2: the centre is (1, 1), every corner is √2 away
    assert spread(rows((0, 0), (2, 0), (0, 2), (2, 2))) == pytest.approx(math.sqrt(2), rel=1e-6)


def test_reach_is_the_largest_distance_to_the_baseline() -> None:
    assert reach(rows((3, 4), (1, 0)), rows((0, 0))) == pytest.approx(5.0)


def test_effective_dimension_counts_directions() -> None:
    assert effective_dimension(rows((0, 0), (1, 1), (2, 2), (5, 5))) == pytest.approx(1.0)
    assert effective_dimension(rows((1, 0), (-1, 0), (0, 1), (0, -1))) == pytest.approx(2.0)
    # spectrum 4 : 1 gives 5² / (16 + 1)
    assert effective_dimension(rows((2, 0), (-2, 0), (0, 1), (0, -1))) == pytest.approx(25 / 17)


def test_nothing_and_one_and_equal_steps() -> None:
    none = explore(np.zeros((0, 3), np.float32), rows((0, 0, 0)))
    assert (none.spread, none.uniqueness, none.reach, none.effective_dimension) == (None, None, None, None)
    one = explore(rows((1, 2, 2)), rows((0, 0, 0)))
    assert (one.spread, one.uniqueness, one.reach, one.effective_dimension) == (0.0, 1.0, 3.0, 0.0)
    equal = explore(rows(*[(0.1, 0.2, 0.3)] * 7), None)
    assert equal.spread == pytest.approx(0, abs=1e-6)
    assert equal.uniqueness == pytest.approx(1 / 7)
    assert equal.effective_dimension == 0.0
    assert equal.reach is None


def test_clusters_by_angle_and_not_by_length() -> None:
    assert clusters(rows((1, 0), (5, 0), (0, 1))) == 2


def test_zero_vectors_are_one_cluster_of_their_own() -> None:
    assert clusters(rows((0, 0), (0, 0), (1, 0), (0, 1))) == 3
    assert clusters(rows((0, 0), (0, 0))) == 1


def test_two_steps_are_apart_from_the_threshold_on() -> None:
    def at(cosine_distance: float) -> np.ndarray:
        angle = math.acos(1 - cosine_distance)
        return rows((1, 0), (math.cos(angle), math.sin(angle)))

    assert clusters(at(0.0149)) == 1
    assert clusters(at(0.0151)) == 2


@settings(max_examples=50, deadline=None)
@given(arrays(np.float64, (12, 4), elements=st.floats(-1, 1)))
def test_clusters_are_those_of_scikit_learn(noise: np.ndarray) -> None:
    from sklearn.cluster import AgglomerativeClustering

    values = (np.repeat(np.eye(4), 3, axis=0) + 0.2 * noise).astype(np.float32)
    theirs = AgglomerativeClustering(n_clusters=None, metric="cosine", linkage="average", distance_threshold=0.015)
    assert clusters(values) == theirs.fit(values).n_clusters_


@settings(max_examples=100, deadline=None)
@given(vectors)
def test_bounds_and_no_order(values: np.ndarray) -> None:
    found = explore(values, values[:1])
    assert found.spread is not None and found.spread >= 0
    assert found.uniqueness is not None and 1 / len(values) <= found.uniqueness <= 1
    assert found.reach is not None and found.reach >= 0
    dimension = found.effective_dimension
    assert dimension == 0 or (dimension is not None and 1 - 1e-6 <= dimension <= min(len(values) - 1, 5) + 1e-6)
    order = np.random.default_rng(0).permutation(len(values))
    again = explore(values[order], values[:1])
    assert again.uniqueness == found.uniqueness
    assert again.reach == found.reach
    assert again.spread == pytest.approx(found.spread, rel=1e-4, abs=1e-5)
    assert again.effective_dimension == pytest.approx(dimension, rel=1e-6, abs=1e-9)


@settings(max_examples=50, deadline=None)
@given(vectors, arrays(np.float32, 5, elements=st.floats(-5, 5, width=32)))
def test_only_reach_knows_where_the_steps_are(values: np.ndarray, shift: np.ndarray) -> None:
    moved = values + shift
    assert spread(moved) == pytest.approx(spread(values), rel=1e-3, abs=1e-4)
    assert reach(moved, shift) == pytest.approx(reach(values, np.zeros(5, np.float32)), rel=1e-4, abs=1e-4)
