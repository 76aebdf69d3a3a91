"""The noise floor of a task: how much its own baseline varies from seed to seed."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean, stdev

from assay.evaluation.evaluate import Evaluator, baseline_failed
from assay.sandbox.client import Sandbox
from assay.scoring.summary import NOISE_SIGMAS
from assay.tasks.load import Task
from assay.tasks.outcome import Split
from assay.tasks.spec import Metric, Noise


@dataclass(frozen=True)
class Measurement:
    """The baseline on one split over several seeds, as the grader reports it."""

    split: Split
    values: tuple[float, ...]
    mean: float
    sd: float
    """On the scale of the metric's `best`: after its transform, where it has one."""
    floor: float
    """Normalised improvement up to which a gain may be noise: two standard deviations."""


def measure_noise(
    task: Task, repeats: int, observe: Callable[[Split, int], None] = lambda split, done: None
) -> tuple[Measurement, Measurement]:
    """Evaluate the baseline with the seeds 0, 1, … on val and test. Raises AssayError if it fails with one of them."""
    with Sandbox(task.spec.preload, task.spec.hidden) as sandbox:
        return _measure(task, sandbox, "val", repeats, observe), _measure(task, sandbox, "test", repeats, observe)


def _measure(
    task: Task, sandbox: Sandbox, split: Split, repeats: int, observe: Callable[[Split, int], None]
) -> Measurement:
    values = []
    for seed in range(repeats):
        outcome = Evaluator(task, sandbox, seed).baseline(split)
        if outcome.value is None:
            raise baseline_failed(task, outcome)
        values.append(outcome.value)
        observe(split, seed + 1)
    return summarise_noise(task.spec.metric, split, values)


def summarise_noise(metric: Metric, split: Split, values: list[float]) -> Measurement:
    scaled = [metric.scale(value) for value in values]
    sd = stdev(scaled) if len(scaled) > 1 else math.nan
    worst = fmean(scaled) if metric.worst == "baseline" else metric.worst
    width = abs(metric.best - worst)
    return Measurement(split, tuple(values), fmean(values), sd, NOISE_SIGMAS * sd / width if width else math.nan)


def as_noise(val: Measurement, test: Measurement) -> Noise:
    return Noise(seeds=len(val.values), val_sd=val.sd, test_sd=test.sd)


def as_toml(noise: Noise) -> str:
    """The block for task.toml."""
    return f"[noise]\nseeds = {noise.seeds}\nval_sd = {noise.val_sd:.6g}\ntest_sd = {noise.test_sd:.6g}\n"
