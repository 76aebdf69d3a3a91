"""Success as MLAgentBench counts it, on test and on validation."""

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from assay.models.usage import Usage
from assay.scoring import process
from assay.scoring.measures import MEASURES
from assay.scoring.scores import load_scores
from assay.scoring.statistics import wilson
from assay.tasks.spec import Metric, Noise

DOWN = Metric(name="err", direction="min", best=0.0)


@pytest.fixture
def measured(tmp_path: Path, journals: ModuleType) -> Any:
    """Every measure of one run, by its key."""

    def measure(**fields: Any) -> dict[str, float | None]:
        journals.write_run(tmp_path, journals.Run(**fields))
        (run,) = load_scores(tmp_path).runs
        return {measure.key: measure.of(run, None) for measure in MEASURES}

    return measure


@pytest.mark.parametrize(
    ("test", "reached"),
    [
        (0.525, [5]),
        (0.55, [5, 10]),
        (0.575, [5, 10, 15]),
        (0.6, [5, 10, 15, 20]),
        (0.65, [5, 10, 15, 20, 30]),
        (0.5, []),
    ],
)
@pytest.mark.parametrize("direction", ["max", "min"])
def test_thresholds_are_reached_from_below(
    measured: Any, journals: ModuleType, test: float, reached: list[int], direction: str
) -> None:
    metric = Metric(name="m", direction=direction, best=1.0 if direction == "max" else 0.0)
    value = test if direction == "max" else 1 - test
    found = measured(metric=metric, steps=[journals.Step(0.9 if direction == "max" else 0.1)], test=value)
    keys = {5: "success_5", 10: "success_rate", 15: "success_15", 20: "success_20", 30: "success_30"}
    assert [threshold for threshold, key in keys.items() if found[key]] == reached
    assert found["average_improvement"] == pytest.approx(2 * test - 1)


def test_without_a_valid_result_there_is_no_success_and_no_improvement(measured: Any, journals: ModuleType) -> None:
    found = measured(steps=[journals.Step(0.9)], test_kind="crashed")
    assert (found["success_rate"], found["average_improvement"], found["success_any_step"]) == (0.0, None, 1.0)


def test_any_step_looks_at_validation_and_its_own_baseline(measured: Any, journals: ModuleType) -> None:
    spent = Usage(calls=1, input_tokens=90, output_tokens=10)
    steps = [journals.Step(v, "ok" if v else "crashed", usage=spent, seconds=36.0) for v in (0.2, None, 0.225, 0.19)]
    found = measured(metric=DOWN, baseline_val=0.25, baseline_test=9.0, steps=steps, test=9.0)
    assert (found["success_rate"], found["success_any_step"]) == (0.0, 1.0)
    assert (found["steps_to_success"], found["tokens_to_success"]) == (1.0, 100.0)
    found = measured(metric=DOWN, baseline_val=0.25, baseline_test=9.0, steps=steps[1:], test=9.0)
    assert (found["steps_to_success"], found["tokens_to_success"]) == (2.0, 200.0)
    assert found["hours_to_success"] == pytest.approx(0.02)
    found = measured(metric=DOWN, baseline_val=0.25, steps=[journals.Step(0.24)], test=0.5)
    assert (found["success_any_step"], found["steps_to_success"]) == (0.0, None)


def test_a_success_within_noise_is_told_apart(measured: Any, journals: ModuleType) -> None:
    def beyond(sd: float | None) -> float | None:
        noise = None if sd is None else Noise(seeds=20, val_sd=sd, test_sd=sd)
        return measured(steps=[journals.Step(0.9)], test=0.6, noise=noise)["success_beyond_noise"]

    assert (beyond(0.049), beyond(0.051), beyond(None)) == (1.0, 0.0, None)


def test_interactive_runs_say_whether_they_submitted(measured: Any, journals: ModuleType) -> None:
    turn = journals.Turn
    ran = [turn("Execute Script", ran="a.py", exit_code=code) for code in (0, 1, None, 0)]
    last = turn("Final Answer", kind="end", ends="submitted", step=journals.Step(0.6))
    found = measured(turns=[*ran, last], reason="submitted", submitted=1, test=0.6)
    assert (found["submitted"], found["turns"], found["failed_executions"]) == (1.0, 5.0, 0.5)
    found = measured(turns=[turn(), turn(ends="turns", kind="closed")], reason="turns", submitted=0)
    assert (found["submitted"], found["turns"], found["failed_executions"]) == (0.0, 1.0, None)
    found = measured(steps=[journals.Step(0.6)], test=0.6)
    assert (found["submitted"], found["turns"], found["failed_executions"]) == (None, None, None)


def test_the_first_success_on_a_logarithmic_scale() -> None:
    forget = Metric(name="p", direction="max", best=0.0, worst="baseline", transform="neg_log10")
    assert process.first_success(np.array([1e-10, 1e-9, 1e-5]), 1e-10, forget) == 2
    assert process.first_success(np.array([1e-10, np.nan]), 1e-10, forget) is None
    assert process.first_success(np.array([1.0]), 0.0, DOWN) is None
    assert process.first_success(np.array([]), 1.0, DOWN) is None


def test_wilson_intervals_worked_by_hand() -> None:
    half = wilson(4, 8)
    assert (half.value, half.low, half.high) == (
        0.5,
        pytest.approx(0.21521, abs=1e-5),
        pytest.approx(0.78479, abs=1e-5),
    )
    none, every = wilson(0, 8), wilson(8, 8)
    assert (none.value, none.low, none.high) == (0.0, 0.0, pytest.approx(0.32441, abs=1e-5))
    assert (every.value, every.low, every.high) == (1.0, pytest.approx(0.67559, abs=1e-5), 1.0)
    assert wilson(0, 0).value is None
    for hits in range(21):
        found = wilson(hits, 20)
        assert found.low is not None and found.high is not None and found.value is not None
        assert 0 <= found.low <= found.value <= found.high <= 1
