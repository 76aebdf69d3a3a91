"""Strategies on synthetic landscapes, many times over: how good the best program is that each of them finds."""

import numpy as np

from assay.base import Frozen
from assay.strategies.base import Params, Setting, Strategy
from assay.strategies.drive import drive
from assay.strategies.landscape import Kind, Landscape

RESAMPLES = 2000


class Simulated(Frozen):
    """One strategy on one landscape."""

    agent: str
    landscape: Kind
    runs: int
    steps: int
    mean: float
    """Mean over runs of the true value of the step that measured best; the optimum is 1."""
    low: float
    high: float
    """The 95 % interval of the mean: bootstrap over runs."""
    baseline: float
    """Mean value of the unchanged program."""
    solved: float
    """Share of runs that found the optimum."""


def simulate(strategy: type[Strategy], params: Params, landscape: Kind, runs: int, steps: int) -> Simulated:
    """Run a strategy on `runs` problems of a landscape: those of seeds 0, 1, 2, …, the same for every strategy."""
    found = np.empty(runs)
    baselines = np.empty(runs)
    for seed in range(runs):
        baselines[seed], found[seed] = one_run(strategy, params, Landscape(landscape, seed), steps, seed)
    low, high = interval(found)
    return Simulated(
        agent=strategy.name,
        landscape=landscape,
        runs=runs,
        steps=steps,
        mean=float(found.mean()),
        low=low,
        high=high,
        baseline=float(baselines.mean()),
        solved=float((found == 1).mean()),
    )


def one_run(
    strategy: type[Strategy], params: Params, landscape: Landscape, steps: int, seed: int
) -> tuple[float, float]:
    """The true value of the baseline and of the step that measured best."""
    subject = strategy(params, Setting(metric=landscape.metric, steps=steps, seed=seed, editable_lines=8))
    trace = drive(subject, landscape, steps)
    best = trace.steps[0]
    for step in trace.steps:
        if subject.better(step, best):
            best = step
    return landscape.true_value(trace.steps[0]), landscape.true_value(best)


def interval(values: np.ndarray) -> tuple[float, float]:
    """The 95 % bootstrap interval of the mean; the same for the same values."""
    rng = np.random.default_rng(0)
    means = [values[rng.integers(len(values), size=len(values))].mean() for _ in range(RESAMPLES)]
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)
