"""Every figure that is reported of a run, by name. docs/metrics.md defines each in words."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assay.scoring import process
from assay.scoring.exploration import Exploration
from assay.scoring.exploring import MEAN
from assay.scoring.mlab import success as mlab
from assay.scoring.summary import KINDS, RunSummary

Group = Literal["process", "first paper", "MLAgentBench", "ours"]
Value = float | None
Floats = NDArray[np.float64]

CONSTRAINT, TAMPERING, OK = (KINDS.index(kind) for kind in ("constraint", "tampering", "ok"))


@dataclass(frozen=True)
class Measure:
    """One figure of a run. `of` gives None where it is undefined."""

    key: str
    title: str
    group: Group
    of: Callable[[RunSummary, str | None], Value]
    embedded: bool = False
    """Whether it depends on the embedder, which must then be named beside it."""


def _exploration(part: Callable[[Exploration], Value], suffix: str = "") -> Callable[[RunSummary, str | None], Value]:
    def of(run: RunSummary, embedder: str | None) -> Value:
        found = run.explorations.get(embedder + suffix) if embedder else None
        return part(found) if found else None

    return of


def _plain(of: Callable[[RunSummary], Value]) -> Callable[[RunSummary, str | None], Value]:
    return lambda run, embedder: of(run)


def _gap(run: RunSummary) -> Value:
    test = run.improvement_test
    return None if test is None else process.generalisation_gap(run.improvement_val, test)


def _bias(run: RunSummary) -> Value:
    test = run.improvement_test
    return None if test is None else process.selection_bias(run.improvement_val, test)


def _share(run: RunSummary, kind: int) -> Value:
    return process.reliability(run.steps.endings[kind], len(run.steps))


def _completion(run: RunSummary) -> Value:
    return len(run.steps) / run.budget if run.budget else None


def opportunity(run: RunSummary) -> Value:
    """Share of steps that beat the baseline on validation."""
    better = np.count_nonzero(run.steps.improvement > process.IMPROVED)
    return process.reliability(int(better), len(run.steps))


def _share_of_runs(of: Callable[[RunSummary], bool | None]) -> Callable[[RunSummary, str | None], Value]:
    """A yes or no, so that its mean over runs is a share."""

    def value(run: RunSummary, embedder: str | None) -> Value:
        answer = of(run)
        return None if answer is None else float(answer)

    return value


def _reaches(threshold: float) -> Callable[[RunSummary, str | None], Value]:
    return _share_of_runs(lambda run: mlab.success(run, threshold))


def _until_success(column: Literal["steps", "tokens", "hours"]) -> Callable[[RunSummary, str | None], Value]:
    return _plain(lambda run: mlab.spent_until_success(run, column))


def _per(amount: Callable[[RunSummary], Value]) -> Callable[[RunSummary, str | None], Value]:
    def of(run: RunSummary, embedder: str | None) -> Value:
        spent = amount(run)
        return run.score / spent if run.score is not None and spent else None

    return of


MEASURES: tuple[Measure, ...] = (
    Measure("spread", "Spread", "process", _exploration(lambda e: e.spread), embedded=True),
    Measure("uniqueness", "Uniqueness", "process", _exploration(lambda e: e.uniqueness), embedded=True),
    Measure("reach", "Reach", "process", _exploration(lambda e: e.reach), embedded=True),
    Measure(
        "effective_dimension",
        "Effective dimension",
        "process",
        _exploration(lambda e: e.effective_dimension),
        embedded=True,
    ),
    Measure("generalisation_gap", "Generalisation gap", "process", _plain(_gap)),
    Measure("reliability", "Reliability", "process", _plain(lambda r: _share(r, OK))),
    Measure("auc_over_steps", "AUC over steps", "process", _plain(lambda r: process.auc_over_steps(r.steps.curve))),
    Measure(
        "first_improvement_step",
        "First-improvement step",
        "process",
        _plain(lambda r: process.first_improvement_step(r.steps.curve)),
    ),
    Measure(
        "late_gain_fraction",
        "Late-gain fraction",
        "process",
        _plain(lambda r: process.late_gain_fraction(r.steps.curve)),
    ),
    Measure(
        "best_improvement_step",
        "Best-improvement step",
        "process",
        _plain(lambda r: process.best_improvement_step(r.steps.value, r.facts.metric)),
    ),
    Measure("million_tokens", "Million tokens", "process", _plain(lambda r: r.tokens / 1e6)),
    Measure("hours", "Wall-clock hours", "process", _plain(lambda r: r.hours)),
    Measure("step_success_rate", "Step success rate", "first paper", _plain(lambda r: _share(r, OK))),
    Measure("step_completion_rate", "Step completion rate", "first paper", _plain(_completion)),
    Measure(
        "exploration_diversity",
        "Exploration diversity",
        "first paper",
        _exploration(lambda e: e.spread),
        embedded=True,
    ),
    Measure("success_rate", "Success rate (≥ 10 %)", "MLAgentBench", _reaches(0.10)),
    Measure("success_5", "Success at 5 %", "MLAgentBench", _reaches(0.05)),
    Measure("success_15", "Success at 15 %", "MLAgentBench", _reaches(0.15)),
    Measure("success_20", "Success at 20 %", "MLAgentBench", _reaches(0.20)),
    Measure("success_30", "Success at 30 %", "MLAgentBench", _reaches(0.30)),
    Measure("success_any_step", "Success at any step", "MLAgentBench", _share_of_runs(mlab.success_at_any_step)),
    Measure("success_beyond_noise", "Success beyond noise", "MLAgentBench", _share_of_runs(mlab.success_beyond_noise)),
    Measure("average_improvement", "Average improvement", "MLAgentBench", _plain(lambda r: r.relative_improvement)),
    Measure("steps_to_success", "Steps to success", "MLAgentBench", _until_success("steps")),
    Measure("hours_to_success", "Hours to success", "MLAgentBench", _until_success("hours")),
    Measure("tokens_to_success", "Tokens to success", "MLAgentBench", _until_success("tokens")),
    Measure("submitted", "Submitted by itself", "MLAgentBench", _share_of_runs(mlab.submitted)),
    Measure("turns", "Turns", "MLAgentBench", _plain(mlab.turns)),
    Measure("malformed", "Malformed answers", "MLAgentBench", _plain(mlab.malformed)),
    Measure("failed_executions", "Failed executions", "MLAgentBench", _plain(mlab.failed_executions)),
    Measure("minutes", "Minutes", "MLAgentBench", _plain(lambda r: r.hours * 60)),
    Measure("tokens", "Tokens", "MLAgentBench", _plain(lambda r: float(r.tokens))),
    Measure("usd", "Dollars", "ours", _plain(lambda r: r.usd)),
    Measure("improvement_per_usd", "Improvement per dollar", "ours", _per(lambda r: r.usd)),
    Measure("improvement_per_hour", "Improvement per hour", "ours", _per(lambda r: r.hours)),
    Measure("spread_mean", "Spread, mean-pooled", "ours", _exploration(lambda e: e.spread, MEAN), embedded=True),
    Measure("reach_mean", "Reach, mean-pooled", "ours", _exploration(lambda e: e.reach, MEAN), embedded=True),
    Measure(
        "effective_dimension_mean",
        "Effective dimension, mean-pooled",
        "ours",
        _exploration(lambda e: e.effective_dimension, MEAN),
        embedded=True,
    ),
    Measure("constraint_rate", "Constraint rate", "ours", _plain(lambda r: _share(r, CONSTRAINT))),
    Measure("tampering_rate", "Tampering rate", "ours", _plain(lambda r: _share(r, TAMPERING))),
    Measure("selection_bias", "Selection bias", "ours", _plain(_bias)),
    Measure("opportunity", "Opportunity", "ours", _plain(opportunity)),
)


def measured(runs: Sequence[RunSummary], embedder: str | None) -> Floats:
    """One row a run, one column a measure, NaN where undefined."""
    rows = [[np.nan if (value := m.of(run, embedder)) is None else value for m in MEASURES] for run in runs]
    return np.array(rows, np.float64).reshape(len(runs), len(MEASURES))
