"""How a run searched: efficiency, reliability and generalisation, each a function of plain arrays.

None means undefined: there is nothing to measure. docs/metrics.md holds the definitions in words.
"""

import numpy as np
from numpy.typing import NDArray

from assay.tasks.spec import Metric

Floats = NDArray[np.float64]

IMPROVED = 1e-15
"""A best-so-far value above this is an improvement."""
GAINED = 1e-12
"""A final value up to this is no gain whose lateness could be asked about."""
SUCCESS = 0.10
"""MLAgentBench counts a run as a success from this relative improvement on."""
ROUNDING = 1e-9
"""A relative improvement that falls short of a threshold by no more than this has reached it."""


def best_so_far(improvements: Floats) -> Floats:
    """The best normalised improvement after each step, never below the baseline's 0. Failed steps are NaN."""
    return np.maximum.accumulate(np.where(np.isnan(improvements), 0.0, np.maximum(improvements, 0.0)))


def auc_over_steps(curve: Floats) -> float | None:
    return float(curve.mean()) if len(curve) else None


def first_improvement_step(curve: Floats) -> int | None:
    """Counted from 1; None if nothing ever beat the baseline."""
    above = np.flatnonzero(curve > IMPROVED)
    return int(above[0]) + 1 if len(above) else None


def late_gain_fraction(curve: Floats) -> float | None:
    """Share of the final improvement that came after step ⌊K/2⌋, counted from 1."""
    if len(curve) < 2 or curve[-1] <= GAINED:
        return None
    half = curve[len(curve) // 2 - 1]
    return float((curve[-1] - half) / curve[-1])


def best_improvement_step(values: Floats, metric: Metric) -> int | None:
    """The last step whose value equals the best of all steps, counted from 1. Failed steps are NaN."""
    if not len(values):
        return None
    best = (np.fmax if metric.direction == "max" else np.fmin).reduce(values)
    if np.isnan(best):
        return None
    return int(np.flatnonzero(values == best)[-1]) + 1


def reliability(successes: int, steps: int) -> float | None:
    return successes / steps if steps else None


def generalisation_gap(validation: float, test: float) -> float:
    """Of normalised improvements, each against the baseline of its own split."""
    return abs(max(validation, 0.0) - max(test, 0.0))


def selection_bias(validation: float, test: float) -> float:
    """The validation gain that is not there on test; negative where the test gain is larger."""
    return max(validation, 0.0) - test


def relative_improvement(value: float, baseline: float, metric: Metric) -> float | None:
    """MLAgentBench's measure: gain as a share of the baseline, on the metric's scale. None for a baseline of 0."""
    v, b = metric.scale(value), metric.scale(baseline)
    if b == 0:
        return None
    rising = (metric.direction == "max") != (metric.transform == "neg_log10")
    return (v - b if rising else b - v) / abs(b)


def first_success(values: Floats, baseline: float, metric: Metric) -> int | None:
    """The first step, counted from 1, whose relative improvement is a success. Failed steps are NaN."""
    b = metric.scale(baseline)
    if not len(values) or b == 0:
        return None
    scaled = values if metric.transform == "none" else -np.log10(np.maximum(values, 5e-324))
    needed = (SUCCESS - ROUNDING) * abs(b)
    rising = (metric.direction == "max") != (metric.transform == "neg_log10")
    passed = scaled >= b + needed if rising else scaled <= b - needed
    first = int(passed.argmax())
    return first + 1 if passed[first] else None
