"""Which ways of searching go along with improvement.

Pooled over tasks a correlation can come from the tasks alone: on an easy one every agent improves early and much. So it
stands beside the one within tasks, for which runs are ranked against runs on the same task only.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assay.scoring.beta import incomplete_beta
from assay.scoring.measures import MEASURES, opportunity
from assay.scoring.scores import Scores
from assay.scoring.statistics import Floats
from assay.scoring.summary import RunSummary

Spearman = tuple[float, float]
"""Rank correlation and the p value of a two-sided test that there is none."""


@dataclass(frozen=True)
class Correlation:
    """One measure against the improvement on test. None where there are too few runs or nothing varies."""

    key: str
    title: str
    runs: int
    pooled: Spearman | None
    within: Spearman | None
    dense: Spearman | None
    """Within task, over the tasks where many steps improve."""
    sparse: Spearman | None


def correlations(scores: Scores) -> list[Correlation]:
    """The process metrics of every finished run, where they are defined, against its improvement."""
    runs = scores.finished
    tasks = np.array([run.task for run in runs])
    improvement = np.array([run.score for run in runs], np.float64)
    dense = np.isin(tasks, list(dense_tasks(runs)))
    rows = np.array([scores.measured[run.run_id] for run in runs]).reshape(len(runs), len(MEASURES))
    found = []
    for measure, values in zip(MEASURES, rows.T, strict=True):
        there = ~np.isnan(values)
        if measure.group != "process" or not there.any():
            continue
        x, y, t, d = values[there], improvement[there], tasks[there], dense[there]
        found.append(
            Correlation(
                measure.key,
                measure.title,
                int(there.sum()),
                pooled=spearman(x, y),
                within=spearman_within(x, y, t),
                dense=spearman_within(x[d], y[d], t[d]),
                sparse=spearman_within(x[~d], y[~d], t[~d]),
            )
        )
    return found


def dense_tasks(runs: Sequence[RunSummary]) -> set[str]:
    """Tasks with at least the median opportunity: the share of steps, over all runs, that beat the baseline."""
    shares: dict[str, list[float]] = {}
    for run in runs:
        share = opportunity(run)
        if share is not None:
            shares.setdefault(run.task, []).append(share)
    means = {task: float(np.mean(each)) for task, each in shares.items()}
    middle = float(np.median(list(means.values()))) if means else 0.0
    return {task for task, mean in means.items() if mean >= middle}


def spearman(x: Floats, y: Floats) -> Spearman | None:
    """Over all pairs."""
    return _correlate(ranks(x), ranks(y), freedom=len(x) - 2)


def spearman_within(x: Floats, y: Floats, groups: "np.ndarray[tuple[int], np.dtype[np.str_]]") -> Spearman | None:
    """Over pairs ranked within their group and centred there; groups with one member say nothing and are left out."""
    centred_x, centred_y, used = [], [], 0
    for group in np.unique(groups):
        members = groups == group
        size = int(members.sum())
        if size < 2:
            continue
        used += 1
        # ranks as shares of the group, so that a large group counts by its runs and not by its squared runs
        centred_x.append((ranks(x[members]) - (size + 1) / 2) / size)
        centred_y.append((ranks(y[members]) - (size + 1) / 2) / size)
    if not used:
        return None
    a, b = np.concatenate(centred_x), np.concatenate(centred_y)
    return _correlate(a, b, freedom=len(a) - used - 1)


def ranks(values: Floats) -> Floats:
    """From 1, ties sharing their mean rank."""
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    shared: Floats = (last - (counts - 1) / 2)[where]
    return shared


def _correlate(a: Floats, b: Floats, freedom: int) -> Spearman | None:
    if freedom < 1:
        return None
    a, b = a - a.mean(), b - b.mean()
    width = float(np.sqrt((a @ a) * (b @ b)))
    if width < 1e-12:
        return None
    rho = float(np.clip(a @ b / width, -1.0, 1.0))
    if abs(rho) == 1.0:
        return rho, 0.0
    # the t test of a correlation, t² = ν ρ² / (1 − ρ²), has this two-sided p value
    return rho, incomplete_beta(freedom / 2, 0.5, 1 - rho * rho)
