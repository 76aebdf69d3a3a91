"""The tables of MLAgentBench's figures: success by task and agent, and what became of runs with turns."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from assay.scoring.mlab import success as figures
from assay.scoring.mlab.classes import ASIDE, CLASSES, error_class, error_flags
from assay.scoring.scores import Scores
from assay.scoring.statistics import Estimate, Floats, cell_means, wilson
from assay.scoring.summary import RunSummary
from assay.scoring.tables import Cells, Row, Table, cells

SUITES = ("mlab/", "mlab-mini/")
SHARES: dict[str, Callable[[RunSummary], bool | None]] = {
    "success": figures.success,
    "success_5": partial(figures.success, threshold=0.05),
    "success_15": partial(figures.success, threshold=0.15),
    "success_20": partial(figures.success, threshold=0.20),
    "success_30": partial(figures.success, threshold=0.30),
    "any_step": figures.success_at_any_step,
    "beyond_noise": figures.success_beyond_noise,
    "submitted": figures.submitted,
}
MEANS: dict[str, Callable[[RunSummary], float | None]] = {
    "improvement": lambda run: run.relative_improvement,
    "minutes": lambda run: run.hours * 60,
    "tokens": lambda run: float(run.tokens),
}


def mlab_tables(scores: Scores) -> list[Table]:
    """Those that have something to say; none for a sweep of search agents on other tasks."""
    grid = cells(scores)
    return [table for table in (success_table(grid), classes_table(grid)) if table.rows]


def success_table(grid: Cells) -> Table:
    """One row a task and agent, of tasks that are MLAgentBench's or that an interactive agent has run."""
    parts = [part for name in (*SHARES, *MEANS) for part in (name, f"{name}_low", f"{name}_high")]
    table = Table("table_mlagentbench", "MLAgentBench", ("task", "agent", "runs", "valid", *parts))
    tasks = {task for (task, _), runs in grid.items() if task.startswith(SUITES) or any(map(figures.interactive, runs))}
    chosen = {cell: runs for cell, runs in grid.items() if cell[0] in tasks}
    means = {name: cell_means([_known(of, runs) for runs in chosen.values()]) for name, of in MEANS.items()}
    for place, ((task, agent), runs) in enumerate(chosen.items()):
        row: Row = {"task": task, "agent": agent, "runs": len(runs)}
        row["valid"] = sum(run.relative_improvement is not None for run in runs)
        for name, of in SHARES.items():
            answers = [answer for run in runs if (answer := of(run)) is not None]
            row |= _parts(name, wilson(sum(answers), len(answers)))
        for name, estimates in means.items():
            row |= _parts(name, estimates[place])
        table.rows.append(row)
    return table


def classes_table(grid: Cells) -> Table:
    """One row an agent and class: how many runs are called so, and of how many it is true at all."""
    columns = ("agent", "class", "runs", "count", "share", "share_low", "share_high")
    flagged = ("flagged", "flagged_share", "flagged_share_low", "flagged_share_high")
    table = Table("table_error_classes", "What became of runs with turns", (*columns, *flagged))
    by_agent: dict[str, list[RunSummary]] = {}
    for (_, agent), runs in grid.items():
        by_agent.setdefault(agent, []).extend(run for run in runs if run.conduct)
    for agent, runs in sorted(by_agent.items()):
        classes = Counter(error_class(run) for run in runs)
        flags = Counter(flag for run in runs for flag in error_flags(run))
        for name in (*CLASSES, *ASIDE) if runs else ():
            aside = name in ASIDE
            row: Row = {"agent": agent, "class": name, "runs": len(runs), "count": None if aside else classes[name]}
            row |= _parts("share", Estimate(None) if aside else wilson(classes[name], len(runs)))
            row |= {"flagged": flags[name], **_parts("flagged_share", wilson(flags[name], len(runs)))}
            table.rows.append(row)
    return table


def _known(of: Callable[[RunSummary], float | None], runs: Sequence[RunSummary]) -> Floats:
    return np.array([value for run in runs if (value := of(run)) is not None], np.float64)


def _parts(name: str, estimate: Estimate) -> Row:
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}
