"""Runs at an equal budget: what each had reached on validation when it had spent the same."""

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np

from assay.scoring.statistics import Floats
from assay.scoring.summary import RunSummary

Budget = Literal["steps", "tokens", "usd", "hours"]
BUDGETS: tuple[Budget, ...] = get_args(Budget)


def spent(run: RunSummary, budget: Budget) -> Floats:
    """What had been spent at the end of each step."""
    if budget == "steps":
        return np.arange(1, len(run.steps) + 1, dtype=np.float64)
    columns = {"tokens": run.steps.tokens, "usd": run.steps.usd, "hours": run.steps.hours}
    return columns[budget].astype(np.float64)


def common_budget(runs: Sequence[RunSummary], budget: Budget) -> float | None:
    """The most that every one of the runs has spent. None if one spent nothing, or an unknown amount."""
    ends = [spent(run, budget) for run in runs]
    if not ends or any(not len(end) or not end[-1] > 0 for end in ends):
        return None
    return float(min(end[-1] for end in ends))


def improvement_at(run: RunSummary, budget: Budget, limit: float) -> float:
    """The best validation improvement among the steps that were over within the limit; 0 before the first one is."""
    # sums of dollars and hours carry rounding: a step that ends at the limit is within it
    within = int(np.searchsorted(spent(run, budget), limit * (1 + 1e-9), side="right"))
    return float(run.steps.curve[within - 1]) if within else 0.0
