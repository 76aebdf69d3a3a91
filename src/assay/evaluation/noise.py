"""The noise floor of a task: how much the baseline's value moves when nothing but the seed changes."""

import statistics
from typing import get_args

from assay.base import Frozen
from assay.errors import UsageError
from assay.evaluation.evaluate import Evaluator, baseline_failed
from assay.sandbox.client import Sandbox
from assay.tasks.load import Task
from assay.tasks.outcome import Split
from assay.tasks.spec import Metric

SIGNIFICANT = 3.0
"""A gain counts when it is more than this many standard deviations of the baseline."""


class Spread(Frozen):
    """Values of the baseline on one split, on the metric's scale, by seed from 0 upwards."""

    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        return statistics.fmean(self.values)

    @property
    def sd(self) -> float:
        return statistics.stdev(self.values)

    @property
    def sem(self) -> float:
        return float(self.sd / len(self.values) ** 0.5)


class NoiseReport(Frozen):
    """What belongs into `[noise]` of the task's task.toml."""

    task: str
    seeds: int
    splits: dict[Split, Spread]

    def toml(self) -> str:
        """The section as it stands in task.toml."""
        lines = [f"{split}_sd = {spread.sd:.6g}" for split, spread in self.splits.items()]
        return "\n".join(["[noise]", f"seeds = {self.seeds}", *lines]) + "\n"


def measure_noise(task: Task, sandbox: Sandbox, repeats: int = 20) -> NoiseReport:
    """Evaluate the baseline with the seeds 0 to `repeats` - 1 on both splits.

    Raises UsageError for fewer than 2 repeats, AssayError if the baseline fails.
    """
    if repeats < 2:
        raise UsageError(f"--repeats is {repeats}", "a spread needs at least 2; the stored ones use 20")
    splits = {split: Spread(values=_values(task, sandbox, split, repeats)) for split in get_args(Split)}
    return NoiseReport(task=task.id, seeds=repeats, splits=splits)


def _values(task: Task, sandbox: Sandbox, split: Split, repeats: int) -> tuple[float, ...]:
    values = []
    for seed in range(repeats):
        outcome = Evaluator(task, sandbox, seed).baseline(split)
        if outcome.value is None:
            raise baseline_failed(task, outcome)
        values.append(task.spec.metric.scale(outcome.value))
    return tuple(values)


def gain(metric: Metric, value: float, baseline: float) -> float:
    """How much better than the baseline, on the metric's scale; negative where it is worse."""
    difference = metric.scale(value) - metric.scale(baseline)
    rising = (metric.direction == "max") != (metric.transform == "neg_log10")
    return difference if rising else -difference


def beats(task: Task, split: Split, value: float, baseline: float) -> bool:
    """Better than the baseline by more than three times the task's noise. Without a stored noise, better at all."""
    noise = task.spec.noise.sd(split) if task.spec.noise else 0.0
    return gain(task.spec.metric, value, baseline) > SIGNIFICANT * noise
