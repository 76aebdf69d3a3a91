"""When a value is better than the baseline, and not merely lucky."""

from assay.tasks.load import Task
from assay.tasks.outcome import Split
from assay.tasks.spec import Metric

SIGNIFICANT = 3.0
"""A gain counts when it is more than this many standard deviations of the baseline over seeds."""


def gain(metric: Metric, value: float, baseline: float) -> float:
    """How much better than the baseline, on the metric's scale; negative where it is worse."""
    difference = metric.scale(value) - metric.scale(baseline)
    rising = (metric.direction == "max") != (metric.transform == "neg_log10")
    return difference if rising else -difference


def beats(task: Task, split: Split, value: float, baseline: float) -> bool:
    """Better than the baseline by more than three times the task's noise. Without a stored noise, better at all."""
    noise = task.spec.noise.sd(split) if task.spec.noise else 0.0
    return gain(task.spec.metric, value, baseline) > SIGNIFICANT * noise
