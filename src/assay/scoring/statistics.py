"""Estimates with intervals, from a few seeds on each of several tasks.

An interval is a 95 % percentile bootstrap, stratified by task: seeds are drawn anew within each task, the tasks stay.
It speaks of these tasks, not of tasks in general. Where no task has two seeds there is nothing to draw from, and no
interval.
Everything is drawn from fixed seeds: the same journals give the same figures.

The share of the runs of one cell has Wilson's interval instead: a single run has one too, and it does not shrink to
nothing where all runs ended alike.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

DRAWS = 1000
TAILS = (2.5, 97.5)
CERTAINTY = 1.959963984540054
"""The normal quantile of a two-sided interval or test at 5 %."""
TRIMMED = 0.25
"""Share that the interquartile mean cuts off at either end."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its 95 % interval. All None if there is no data; no interval if there is one seed a task."""

    value: float | None
    low: float | None = None
    high: float | None = None


def wilson(hits: int, tries: int) -> Estimate:
    """A share with its 95 % interval by Wilson (1927)."""
    if not tries:
        return Estimate(None)
    share, squared = hits / tries, CERTAINTY**2
    middle = (share + squared / (2 * tries)) / (1 + squared / tries)
    half = CERTAINTY * math.sqrt(share * (1 - share) / tries + squared / (4 * tries**2)) / (1 + squared / tries)
    # at the ends the formula gives 0 and 1 but for rounding
    return Estimate(share, 0.0 if hits == 0 else middle - half, 1.0 if hits == tries else middle + half)


@lru_cache(maxsize=1024)
def draw(size: int, stream: tuple[int, ...]) -> Floats:
    """The weight of each of `size` members in each of DRAWS resamples, rows summing to 1. Same stream, same draws."""
    picked = np.random.default_rng([size, *stream]).integers(0, size, (DRAWS, size))
    picked += size * np.arange(DRAWS)[:, None]
    weights = np.bincount(picked.ravel(), minlength=DRAWS * size).reshape(DRAWS, size) / size
    weights.setflags(write=False)
    return weights


def stratified_means(strata: Sequence[Floats]) -> list[Estimate]:
    """The mean over strata of the mean within each, for every column; strata count alike, NaN is left out."""
    if not strata:
        return []
    found = [Estimate(None)] * strata[0].shape[1]
    missing = np.isnan(np.concatenate(strata))
    whole, known = ~missing.any(axis=0), ~missing.all(axis=0)
    # apart, because a column with gaps takes several times as long
    for places in (np.flatnonzero(whole), np.flatnonzero(known & ~whole)):
        if len(places):
            estimates = _stratified_means([s[:, places] for s in strata])
            for place, estimate in zip(places.tolist(), estimates, strict=True):
                found[place] = estimate
    return found


def _stratified_means(strata: Sequence[Floats]) -> list[Estimate]:
    """The same for columns that all have a value."""
    means = _mean_of_means(strata, [np.full((1, len(s)), 1 / len(s)) for s in strata])[0].tolist()
    if all(len(s) < 2 for s in strata):
        return [Estimate(mean) for mean in means]
    drawn = _mean_of_means(strata, [draw(len(s), (number,)) for number, s in enumerate(strata)])
    # a draw may miss every member that has a value; it then has none itself
    percentile = np.nanpercentile if np.isnan(drawn).any() else np.percentile
    bounds = percentile(drawn, TAILS, axis=0).T.tolist()
    return [Estimate(mean, low, high) for mean, (low, high) in zip(means, bounds, strict=True)]


def _mean_of_means(strata: Sequence[Floats], weights: Sequence[Floats]) -> Floats:
    """The mean over strata of weighted means over members, one row a weighting; NaN is left out of either mean."""
    total: Floats = np.zeros((weights[0].shape[0], strata[0].shape[1]))
    count: Floats = np.zeros_like(total)
    for rows, weighting in zip(strata, weights, strict=True):
        there = ~np.isnan(rows)
        if there.all():
            total += weighting @ rows
            count += 1
            continue
        share = weighting @ there
        some = share > 0
        total += np.divide(weighting @ np.where(there, rows, 0.0), share, out=np.zeros_like(share), where=some)
        count += some
    return np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)


def cell_means(cells: Sequence[Floats]) -> list[Estimate]:
    """The mean of each cell on its own; cells of one size are drawn together, for there are many small ones."""
    found = [Estimate(None)] * len(cells)
    for size in {len(cell) for cell in cells} - {0}:
        places = [place for place, cell in enumerate(cells) if len(cell) == size]
        estimates = stratified_means([np.stack([cells[place] for place in places], axis=1)])
        for place, estimate in zip(places, estimates, strict=True):
            found[place] = estimate
    return found


def interquartile_mean(strata: Sequence[Floats]) -> Estimate:
    """The mean of the middle half of all values."""
    if not strata:
        return Estimate(None)
    point = float(_iqm(np.concatenate(strata)[None, :])[0])
    if all(len(s) < 2 for s in strata):
        return Estimate(point)
    rng = np.random.default_rng(1)
    drawn = np.concatenate([s[rng.integers(0, len(s), (DRAWS, len(s)))] for s in strata], axis=1)
    return _estimate(point, _iqm(drawn))


def _iqm(rows: Floats) -> Floats:
    cut = int(TRIMMED * rows.shape[1])
    middle: Floats = np.sort(rows, axis=1)[:, cut : rows.shape[1] - cut].mean(axis=1)
    return middle


def mean_ranks(cells: Sequence[Sequence[Floats]]) -> list[Estimate]:
    """Mean rank of each agent over tasks, 1 for the largest mean, ties shared. `cells[agent][task]` are its values."""
    if not cells or not cells[0]:
        return [Estimate(None) for _ in cells]
    point = _ranks(np.array([[[values.mean()] for values in agent] for agent in cells]))[:, 0]
    if all(len(values) < 2 for agent in cells for values in agent):
        return [Estimate(float(rank)) for rank in point]
    drawn = _ranks(np.array([[draw(len(v), (i, t)) @ v for t, v in enumerate(own)] for i, own in enumerate(cells)]))
    return [_estimate(float(p), row) for p, row in zip(point, drawn, strict=True)]


def _ranks(means: Floats) -> Floats:
    """Shape (agents, tasks, draws) to mean ranks of shape (agents, draws)."""
    mine, other = means[:, None], means[None, :]
    ranks = 0.5 + (other > mine).sum(axis=1) + 0.5 * (other == mine).sum(axis=1)
    mean: Floats = ranks.mean(axis=1)
    return mean


def win_rates(cells: Sequence[Sequence[Floats]]) -> list[Estimate]:
    """How often a run of each agent beats a run of another on the same task, a tie counting half."""
    if len(cells) < 2 or not cells[0]:
        return [Estimate(None) for _ in cells]
    tasks = range(len(cells[0]))
    several = any(len(values) > 1 for agent in cells for values in agent)
    points = np.zeros(len(cells))
    drawn = np.zeros((len(cells), DRAWS))
    for i, j in combinations(range(len(cells)), 2):
        wins = [_wins(cells[i][task], cells[j][task]) for task in tasks]
        point = np.mean([each.mean() for each in wins])
        points += [point if k == i else 1 - point if k == j else 0.0 for k in range(len(cells))]
        if several:
            pairs = [
                ((draw(each.shape[0], (i, task)) @ each) * draw(each.shape[1], (j, task))).sum(axis=1)
                for task, each in enumerate(wins)
            ]
            rate = np.mean(pairs, axis=0)
            drawn[i] += rate
            drawn[j] += 1 - rate
    rivals = len(cells) - 1
    if not several:
        return [Estimate(float(point) / rivals) for point in points]
    return [_estimate(float(p) / rivals, row / rivals) for p, row in zip(points, drawn, strict=True)]


def _wins(a: Floats, b: Floats) -> Floats:
    wins: Floats = (a[:, None] > b[None, :]) + 0.5 * (a[:, None] == b[None, :])
    return wins


def _estimate(point: float, drawn: Floats) -> Estimate:
    low, high = np.percentile(drawn, TAILS)
    return Estimate(point, float(low), float(high))
