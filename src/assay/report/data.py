"""What the page shows, as plain data: everything scoring says of a results folder, and a light row for every step."""

import math
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from assay import __version__
from assay.errors import AssayError
from assay.runs.paths import ResultPaths
from assay.runs.record import read_run
from assay.scoring.correlation import correlations, dense_tasks
from assay.scoring.measures import MEASURES
from assay.scoring.scores import Scores
from assay.scoring.summary import KINDS, NOISE_SIGMAS, REQUESTS, RunSummary
from assay.scoring.tables import main_tables

Page = dict[str, Any]


def page_data(scores: Scores, maps: dict[str, list[list[float]]] | None = None) -> Page:
    """Everything but code, prompts and logs, which are opened on demand. `maps` are 2-D places of steps by run."""
    raw, improvement, process, agents = main_tables(scores)
    page: Page = plain(
        {
            "assay": __version__,
            "embedder": scores.embedder,
            "kinds": KINDS,
            "requests": REQUESTS,
            "agents": scores.labels,
            "tasks": _tasks(scores),
            "raw": raw.rows,
            "improvement": improvement.rows,
            "process": process.rows,
            "leaderboard": agents.rows,
            "measures": [{"key": m.key, "title": m.title, "group": m.group, "embedded": m.embedded} for m in MEASURES],
            "correlations": [asdict(each) for each in correlations(scores)],
            "noiseSigmas": NOISE_SIGMAS,
            "damaged": [asdict(each) for each in scores.damaged],
            "maps": maps or {},
        }
    )
    # after `plain`, which need not walk through every step: columns are plain already
    page["runs"] = [{**plain(_run_row(scores, run)), "steps": _columns(run)} for run in scores.runs]
    return page


def _run_row(scores: Scores, run: RunSummary) -> Page:
    """The figures of one run."""
    return {
        "id": run.run_id,
        "agent": scores.label(run),
        "model": run.model,
        "task": run.task,
        "seed": run.seed,
        "budget": run.budget,
        "finished": run.finished,
        "reason": run.reason,
        "note": run.note,
        "score": run.score,
        "val": run.improvement_val,
        "test": run.improvement_test,
        "baseline": run.baseline_val,
        "baselineTest": run.baseline_test,
        "bestStep": run.best_step,
        "bestVal": run.best_val,
        "testValue": run.test_value,
        "noise": run.within_noise,
        "sigmas": run.sigmas,
        "calls": run.calls,
        "tokens": run.tokens,
        "usd": run.usd,
        "hours": run.hours,
        "isolation": run.isolation,
        "ends": dict(run.kinds),
        "measured": _measured(scores, run),
    }


def _columns(run: RunSummary) -> Page:
    """The steps of one run, with few digits: there may be a hundred thousand of them in one page."""
    steps = run.steps
    spent = {"tokens": steps.tokens.tolist(), "usd": [_short(v) for v in steps.usd.tolist()]} if run.calls else {}
    return {
        "kind": steps.kind.tolist(),
        "request": steps.request.tolist(),
        "parent": steps.parent.tolist(),
        "value": [_short(v) for v in steps.value.tolist()],
        "gain": [_short(v, 4) for v in steps.improvement.tolist()],
        "hours": [_short(v, 4) for v in steps.hours.tolist()],
        **spent,
    }


def _tasks(scores: Scores) -> list[Page]:
    found: dict[str, Page] = {}
    dense = dense_tasks(scores.finished)
    for run in scores.runs:
        facts = run.facts
        found.setdefault(
            run.task,
            {
                "id": run.task,
                "title": facts.title,
                "area": facts.area,
                "metric": facts.metric.name,
                "direction": facts.metric.direction,
                "noise": facts.noise.model_dump() if facts.noise else None,
                "dense": run.task in dense,
            },
        )
    return [found[task] for task in sorted(found)]


def _measured(scores: Scores, run: RunSummary) -> Page | None:
    """The process metrics of one run; None while it is unfinished and enters no figure."""
    values = scores.measured.get(run.run_id)
    if values is None:
        return None
    return {m.key: _short(float(v), 4) for m, v in zip(MEASURES, values, strict=True) if m.group == "process"}


def machines(results: Path, run_ids: Iterable[str]) -> list[Page]:
    """Each different machine, isolation and set of versions once, with the runs made there."""
    found: dict[str, Page] = {}
    for run_id in run_ids:
        try:
            header = read_run(ResultPaths(results).run(run_id).root).header
        except AssayError:
            continue  # named among the damaged
        where: Page = plain(
            {"isolation": header.isolation.model_dump(), "versions": header.versions, "machine": header.machine}
        )
        found.setdefault(repr(where), {**where, "runs": []})["runs"].append(run_id)
    return list(found.values())


def plain(value: Any) -> Any:
    """JSON without NaN: what is not a number is null. Numpy values become Python's."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def _short(value: float, digits: int = 6) -> float | None:
    return float(f"{value:.{digits}g}") if math.isfinite(value) else None
