"""When a value beats the baseline: by more than three times the noise, on the metric's own scale and direction."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.evaluation.noise import beats, gain
from assay.tasks.load import load_task
from assay.tasks.new import new_task
from assay.tasks.spec import Metric

VALUES = st.floats(1e-30, 1.0)
METRICS = st.builds(
    Metric,
    name=st.just("score"),
    direction=st.sampled_from(["min", "max"]),
    best=st.just(1.0),
    transform=st.sampled_from(["none", "neg_log10"]),
)


@given(METRICS, VALUES, VALUES)
def test_a_gain_is_positive_exactly_where_the_metric_is_better(metric: Metric, value: float, baseline: float) -> None:
    if metric.scale(value) != metric.scale(baseline):
        assert (gain(metric, value, baseline) > 0) == metric.better(value, baseline)


@given(METRICS, VALUES, VALUES)
def test_a_gain_turns_round_with_its_arguments(metric: Metric, value: float, baseline: float) -> None:
    assert gain(metric, value, baseline) == -gain(metric, baseline, value)


@pytest.mark.parametrize(("value", "won"), [(0.70, False), (0.55, False), (0.35, True)])
def test_three_times_the_noise_is_the_threshold(tmp_path: Path, value: float, won: bool) -> None:
    new_task(tmp_path, "my/task")
    spec = tmp_path / "task.toml"
    lines = ["test_sd = 0.1" if line.startswith("test_sd") else line for line in spec.read_text().splitlines()]
    spec.write_text("\n".join(lines))
    assert beats(load_task(tmp_path), "test", value, 0.70) is won
