"""MLAgentBench's published rules and constants, for comparison with its published tables and for nothing else.

They count any valid answer as a success where the baseline is a sentinel, and noise where the threshold lies within it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from assay.errors import UsageError
from assay.scoring.mlab.success import submitted
from assay.scoring.scores import Scores
from assay.scoring.statistics import wilson
from assay.scoring.summary import RunSummary
from assay.scoring.tables import Row, Table

LABELS = {
    "cifar10": "cifar10",
    "imdb": "imdb",
    "ogbn-arxiv": "ogbn-arxiv",
    "house-price": "house-price",
    "spaceship-titanic": "spaceship-titanic",
    "amp-parkinsons-disease-progression-prediction": "parkinsons-disease",
    "fathomnet": "fathomnet",
    "feedback": "feedback",
    "identify-contrails": "identify-contrails",
    "llama-inference": "llama-inference",
    "vectorization": "vectorization",
    "clrs": "CLRS",
    "babylm": "BabyLM",
}
"""Folder in lower case → name in the published tables, in their order."""
BASELINES = {
    "imdb": 0.5,
    "fathomnet": 1e-10,
    "spaceship-titanic": 0.5,
    "house-price": 1e10,
    "ogbn-arxiv": 0.3134,
    "vectorization": 6.1742,
}
"""What counts as the baseline of these, whatever was measured."""
LOWER_IS_BETTER = frozenset(
    {"parkinsons-disease", "feedback", "BabyLM", "llama-inference", "house-price", "vectorization"}
)
THRESHOLDS = (0.05, 0.10, 0.15, 0.20, 0.30)
BASELINE_AGENT = "trivial"
AVERAGE = "Average"
_OTHER_SUITE = "mlab-mini/"


@dataclass(frozen=True)
class Result:
    """One run as the published evaluation sees it."""

    final: float | None
    """None, or 0 and less: no valid submission."""
    steps: tuple[float, ...] = ()
    submitted: bool = True


@dataclass(frozen=True)
class Cell:
    """The figures of one task and agent, in per cent."""

    success: dict[float, float]
    """By threshold."""
    any_step: float
    improvement: float
    submitted_improvement: float
    """Of runs that submitted by themselves."""


def label_of(task: str) -> str | None:
    """The published name of a task; None if it is none of those."""
    if task.startswith(_OTHER_SUITE):
        return None
    return LABELS.get(task.rstrip("/").rpartition("/")[2].lower())


def baseline_of(label: str, metric: str, measured: float) -> float:
    """The published constant of a task; what was measured where there is none, or where it is of another unit."""
    if label == "vectorization" and metric != "seconds":
        return measured
    return BASELINES.get(label, measured)


def cell(label: str, baseline: float, results: Sequence[Result]) -> Cell:
    """Aggregate runs of one task and agent."""
    finals = [_improvement(label, baseline, [result.final]) for result in results]
    best = [_improvement(label, baseline, [*result.steps, result.final]) for result in results]
    own = [change for change, result in zip(finals, results, strict=True) if result.submitted]
    return Cell(
        success={threshold: _percent(_over(finals, threshold)) for threshold in THRESHOLDS},
        any_step=_percent(_over(best, 0.10)),
        improvement=_percent([change for change in finals if change is not None]),
        submitted_improvement=_percent([change for change in own if change is not None]),
    )


def averages(cells: Iterable[Mapping[str, float]], tasks: int) -> dict[str, float]:
    """Over tasks; one that was not run counts 0."""
    totals: dict[str, float] = {}
    for figures in cells:
        for name, value in figures.items():
            totals[name] = totals.get(name, 0.0) + value
    return {name: total / tasks for name, total in totals.items()}


def legacy_table(scores: Scores) -> Table:
    """Raises UsageError if no finished run is of a task that has published figures."""
    groups: dict[str, dict[str, list[RunSummary]]] = {}
    for run in scores.finished:
        label = label_of(run.task)
        if label is not None:
            groups.setdefault(label, {}).setdefault(scores.label(run), []).append(run)
    if not groups:
        raise UsageError(
            "no finished run is of a task that MLAgentBench published figures for",
            f"its tasks are {', '.join(LABELS)}; score others without --scoring legacy-mlab",
        )
    names = [f"success_{round(100 * threshold)}" for threshold in THRESHOLDS]
    figures = (*names, "any_step", "improvement", "submitted_improvement")
    columns = ("task", "agent", "runs", "baseline", *figures, "success_10_low", "success_10_high", "minutes", "tokens")
    table = Table("table_legacy_mlab", "MLAgentBench by its published rules, in %", columns)
    for label in (name for name in LABELS.values() if name in groups):
        baseline = _baseline(label, [run for runs in groups[label].values() for run in runs])
        table.rows.extend(_row(label, agent, baseline, runs, columns) for agent, runs in sorted(groups[label].items()))
    for agent in sorted({row["agent"] for row in table.rows}):
        own = [row for row in table.rows if row["agent"] == agent]
        means = averages([{name: row[name] for name in figures} for row in own], len(groups))
        runs = sum(row["runs"] for row in own)
        table.rows.append({**dict.fromkeys(columns), "task": AVERAGE, "agent": agent, "runs": runs, **means})
    return table


def _row(label: str, agent: str, baseline: float, runs: Sequence[RunSummary], columns: Sequence[str]) -> Row:
    results = [_result(run) for run in runs]
    found = cell(label, baseline, results)
    share = wilson(round(found.success[0.10] / 100 * len(runs)), len(runs))
    assert share.low is not None and share.high is not None
    row: Row = {
        **{f"success_{round(100 * threshold)}": value for threshold, value in found.success.items()},
        "task": label,
        "agent": agent,
        "runs": len(runs),
        "baseline": baseline,
        "any_step": found.any_step,
        "improvement": found.improvement,
        "submitted_improvement": found.submitted_improvement,
        "success_10_low": 100 * share.low,
        "success_10_high": 100 * share.high,
        "minutes": fmean(run.hours * 60 for run in runs),
        "tokens": fmean(run.tokens for run in runs),
    }
    return {name: row[name] for name in columns}


def _result(run: RunSummary) -> Result:
    values = tuple(value for value in run.steps.value.tolist() if value == value)
    return Result(run.test_value, values, submitted(run) is not False)


def _baseline(label: str, runs: Sequence[RunSummary]) -> float:
    """The published constant; else the mean of the baseline agent, or of the baseline beside the runs of the others."""
    scored = [run.test_value for run in runs if run.agent == BASELINE_AGENT and (run.test_value or 0) > 0]
    measured = [run.baseline_test for run in runs if run.baseline_test is not None]
    values = [value for value in scored if value is not None] or measured
    return baseline_of(label, runs[0].facts.metric.name, fmean(values) if values else 0.0)


def _improvement(label: str, baseline: float, scores: Iterable[float | None]) -> float | None:
    """Of the best of the positive scores; None if there is none."""
    valid = [score for score in scores if score is not None and score > 0]
    if not valid or baseline == 0:
        return None
    lower = label in LOWER_IS_BETTER
    change = ((min if lower else max)(valid) - baseline) / baseline
    return -change if lower else change


def _over(changes: Sequence[float | None], threshold: float) -> list[float]:
    return [float(change is not None and change > threshold) for change in changes]


def _percent(values: Sequence[float]) -> float:
    """The mean, rounded to four decimals, in per cent; 0 if there is nothing."""
    return 100 * round(fmean(values), 4) if values else 0.0
