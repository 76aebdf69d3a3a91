"""The tables of `assay score`: raw performance, normalised improvement, process metrics, and the agents at a glance."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.scoring.measures import MEASURES
from assay.scoring.scores import Scores
from assay.scoring.statistics import (
    Estimate,
    Floats,
    cell_means,
    interquartile_mean,
    mean_ranks,
    stratified_means,
    win_rates,
)
from assay.scoring.summary import NOISE_SIGMAS, RunSummary

Row = dict[str, Any]


@dataclass(frozen=True)
class Table:
    """Rows of plain values under fixed columns. `name` is also the stem of its files."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: list[Row] = field(default_factory=list)
    embedder: str | None = None
    """The embedder on which values of this table depend, if any do."""


Cells = dict[tuple[str, str], list[RunSummary]]
"""Finished runs by task and label of the agent, in the order of their seeds."""


def cells(scores: Scores) -> Cells:
    found: Cells = defaultdict(list)
    for run in sorted(scores.finished, key=lambda run: (run.task, scores.label(run), run.seed)):
        found[run.task, scores.label(run)].append(run)
    return dict(found)


def main_tables(scores: Scores) -> list[Table]:
    """The four that every sweep has, in the order in which they are shown."""
    grid = cells(scores)
    return [raw_performance(grid), normalised_improvement(grid), process_metrics(scores, grid), agents(scores, grid)]


def raw_performance(grid: Cells) -> Table:
    """The canonical test metric. A run without a valid result counts as its baseline, and the note says so."""
    columns = ("task", "agent", "metric", "direction", "baseline", "value", "low", "high", "seeds", "note")
    table = Table("table_raw_performance", "Raw performance on test", columns)
    measured_runs = [[run for run in runs if run.baseline_test is not None] for runs in grid.values()]
    values = cell_means(
        [_values([r.baseline_test if r.test_value is None else r.test_value for r in runs]) for runs in measured_runs]
    )
    for ((task, agent), runs), known, value in zip(grid.items(), measured_runs, values, strict=True):
        baselines = _values([run.baseline_test for run in known])
        table.rows.append(
            {
                "task": task,
                "agent": agent,
                "metric": runs[0].facts.metric.name,
                "direction": runs[0].facts.metric.direction,
                "baseline": float(baselines.mean()) if len(baselines) else None,
                **_bounds("value", value),
                "seeds": len(runs),
                "note": notes(runs),
            }
        )
    return table


def normalised_improvement(grid: Cells) -> Table:
    """max(gain, 0) / |best − worst| on test, and whether that gain stands out of the noise."""
    columns = ("task", "agent", "improvement", "low", "high", "seeds", "sigmas", "within_noise", "note")
    table = Table("table_normalized_improvement", "Normalised improvement on test", columns)
    estimates = cell_means([_scores(runs) for runs in grid.values()])
    for ((task, agent), runs), estimate in zip(grid.items(), estimates, strict=True):
        sigmas = [run.sigmas for run in runs if run.sigmas is not None]
        mean = float(np.mean(sigmas)) if sigmas else None
        table.rows.append(
            {
                "task": task,
                "agent": agent,
                **_bounds("improvement", estimate),
                "seeds": len(runs),
                "sigmas": mean,
                "within_noise": None if mean is None else mean < NOISE_SIGMAS,
                "note": notes(runs),
            }
        )
    return table


def process_metrics(scores: Scores, grid: Cells) -> Table:
    """Every measure of every agent: mean over tasks of the mean over seeds."""
    keys = [part for m in MEASURES for part in (m.key, f"{m.key}_low", f"{m.key}_high")]
    table = Table(
        "table_process_metrics",
        "Process metrics, mean over tasks",
        ("agent", "embedder", "tasks", "runs", *keys),
        embedder=scores.embedder,
    )
    for agent, strata in _by_agent(grid).items():
        figures = stratified_means([np.stack([scores.measured[run.run_id] for run in runs]) for runs in strata])
        row: Row = {"agent": agent, "embedder": scores.embedder, "tasks": len(strata), "runs": sum(map(len, strata))}
        for measure, estimate in zip(MEASURES, figures, strict=True):
            row |= {
                measure.key: estimate.value,
                f"{measure.key}_low": estimate.low,
                f"{measure.key}_high": estimate.high,
            }
        table.rows.append(row)
    return table


def agents(scores: Scores, grid: Cells) -> Table:
    """Who is ahead: mean and interquartile mean of the improvement; rank and wins over the tasks that all have run."""
    figures = ("improvement", "iqm", "mean_rank", "win_rate")
    parts = [part for name in figures for part in (name, f"{name}_low", f"{name}_high")]
    table = Table(
        "table_agents",
        "Agents at a glance",
        ("agent", "tasks", "runs", *parts, "within_noise", "not_ok", "unfinished"),
    )
    strata = _by_agent(grid)
    shared = (
        sorted(set.intersection(*({run.task for runs in s for run in runs} for s in strata.values()))) if strata else []
    )
    values = [[_scores(grid[task, agent]) for task in shared] for agent in strata]
    unfinished = Counter(scores.label(run) for run in scores.runs if not run.finished)
    for agent, rank, wins in zip(strata, mean_ranks(values), win_rates(values), strict=True):
        own = [_scores(runs) for runs in strata[agent]]
        runs = [run for each in strata[agent] for run in each]
        estimates = (stratified_means([v[:, None] for v in own])[0], interquartile_mean(own), rank, wins)
        row: Row = {"agent": agent, "tasks": len(own), "runs": len(runs)}
        for name, estimate in zip(figures, estimates, strict=True):
            row |= {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
        known = [run.within_noise for run in runs if run.within_noise is not None]
        row["within_noise"] = float(np.mean(known)) if known else None
        row["not_ok"] = sum(run.test_kind != "ok" for run in runs)
        row["unfinished"] = unfinished[agent]
        table.rows.append(row)
    table.rows.sort(key=lambda row: -row["improvement"])
    return table


def notes(runs: Iterable[RunSummary]) -> str:
    """How the runs of a cell ended: one word if all ended alike."""
    found = Counter(run.note for run in runs)
    if len(found) == 1:
        return next(iter(found))
    return ", ".join(f"{count} {note}" for note, count in found.most_common())


def _by_agent(grid: Cells) -> dict[str, list[list[RunSummary]]]:
    found: dict[str, list[list[RunSummary]]] = defaultdict(list)
    for (_, agent), runs in sorted(grid.items(), key=lambda item: (item[0][1], item[0][0])):
        found[agent].append(runs)
    return dict(found)


def _scores(runs: Sequence[RunSummary]) -> Floats:
    return _values([run.score for run in runs])


def _values(values: Sequence[float | None]) -> Floats:
    return np.array(values, np.float64)


def _bounds(name: str, estimate: Estimate) -> Row:
    return {name: estimate.value, "low": estimate.low, "high": estimate.high}
