"""Process metrics against examples worked by hand, and what holds for every curve."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.scoring import process
from assay.tasks.spec import Metric

UP = Metric(name="acc", direction="max", best=1.0, worst=0.0)
DOWN = Metric(name="err", direction="min", best=0.0, worst=1.0)
NAN = math.nan

gains = st.lists(st.one_of(st.just(NAN), st.floats(-1, 1)), max_size=30).map(lambda v: np.array(v, np.float64))


def test_the_curve_keeps_the_best_and_never_falls_below_the_baseline() -> None:
    curve = process.best_so_far(np.array([-0.2, NAN, 0.1, 0.05, 0.3, NAN]))
    assert curve.tolist() == [0.0, 0.0, 0.1, 0.1, 0.3, 0.3]


def test_efficiency_of_a_curve_worked_by_hand() -> None:
    curve = np.array([0.0, 0.0, 0.1, 0.1, 0.3, 0.3])
    assert process.auc_over_steps(curve) == pytest.approx(0.8 / 6)
    assert process.first_improvement_step(curve) == 3
    # half of six steps is step 3, whose value is 0.1
    assert process.late_gain_fraction(curve) == pytest.approx((0.3 - 0.1) / 0.3)


def test_half_of_an_odd_number_of_steps_is_rounded_down() -> None:
    assert process.late_gain_fraction(np.array([0.1, 0.2, 0.2, 0.2, 0.4])) == pytest.approx(0.5)  # step 2
    assert process.late_gain_fraction(np.array([0.1, 0.2, 0.4])) == pytest.approx(0.75)  # step 1


@pytest.mark.parametrize(
    ("curve", "auc", "first", "late"),
    [
        ([], None, None, None),
        ([0.0], 0.0, None, None),
        ([0.5], 0.5, 1, None),
        ([0.0, 0.0], 0.0, None, None),
        ([0.5, 0.5], 0.5, 1, 0.0),
        ([0.0, 1e-15], 5e-16, None, None),
        ([0.0, 1e-13], 5e-14, 2, None),
    ],
)
def test_few_steps(curve: list[float], auc: float | None, first: int | None, late: float | None) -> None:
    values = np.array(curve, np.float64)
    assert process.auc_over_steps(values) == auc
    assert process.first_improvement_step(values) == first
    assert process.late_gain_fraction(values) == late


def test_the_best_improvement_step_is_the_last_of_equals() -> None:
    values = np.array([0.2, 0.7, NAN, 0.7, 0.1])
    assert process.best_improvement_step(values, UP) == 4
    assert process.best_improvement_step(values, DOWN) == 5
    assert process.best_improvement_step(np.array([NAN, NAN]), UP) is None
    assert process.best_improvement_step(np.array([]), UP) is None


def test_the_gap_clamps_both_sides_and_the_bias_only_validation() -> None:
    assert process.generalisation_gap(0.3, 0.1) == pytest.approx(0.2)
    assert process.generalisation_gap(0.3, -0.1) == pytest.approx(0.3)
    assert process.generalisation_gap(-0.2, -0.1) == 0.0
    assert process.selection_bias(0.3, -0.1) == pytest.approx(0.4)
    assert process.selection_bias(0.1, 0.3) == pytest.approx(-0.2)


def test_reliability_is_undefined_without_steps() -> None:
    assert process.reliability(0, 0) is None
    assert process.reliability(0, 4) == 0.0
    assert process.reliability(3, 4) == 0.75


def test_relative_improvement_is_a_share_of_the_baseline() -> None:
    assert process.relative_improvement(0.55, 0.5, UP) == pytest.approx(0.1)
    assert process.relative_improvement(0.45, 0.5, DOWN) == pytest.approx(0.1)
    assert process.relative_improvement(0.55, 0.5, DOWN) == pytest.approx(-0.1)
    assert process.relative_improvement(0.5, 0.0, UP) is None
    forget = Metric(name="p", direction="max", best=0.0, worst="baseline", transform="neg_log10")
    assert process.relative_improvement(1e-5, 1e-10, forget) == pytest.approx(0.5)


@given(gains)
def test_every_curve_rises_and_bounds_its_mean(values: np.ndarray) -> None:
    curve = process.best_so_far(values)
    assert (np.diff(curve) >= 0).all()
    assert (curve >= 0).all()
    auc = process.auc_over_steps(curve)
    late = process.late_gain_fraction(curve)
    if len(curve):
        assert auc is not None and -1e-12 <= auc <= curve[-1] + 1e-12
    assert late is None or 0 <= late <= 1


@given(gains)
def test_the_final_value_does_not_depend_on_the_order_of_steps(values: np.ndarray) -> None:
    forward, backward = process.best_so_far(values), process.best_so_far(values[::-1])
    assert len(forward) == 0 or forward[-1] == backward[-1]


@given(st.lists(st.floats(0.01, 1), min_size=1, max_size=20))
def test_direction_is_a_matter_of_sign(values: list[float]) -> None:
    up = Metric(name="m", direction="max", best=1.0, worst=0.0)
    down = Metric(name="m", direction="min", best=-1.0, worst=0.0)
    rising = [up.improvement(v, 0.5) for v in values]
    falling = [down.improvement(-v, -0.5) for v in values]
    assert rising == pytest.approx(falling)
    array = np.array(values)
    assert process.best_improvement_step(array, up) == process.best_improvement_step(-array, down)
