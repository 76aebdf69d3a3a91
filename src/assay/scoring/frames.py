"""Tidy columns for notebooks and other tools: one row a step, or one row a run."""

import csv
import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assay.errors import AssayError
from assay.scoring.measures import MEASURES, measured
from assay.scoring.mlab.classes import error_class, error_flags
from assay.scoring.scores import Scores
from assay.scoring.summary import KINDS, REQUESTS

Columns = dict[str, NDArray[Any]]
Format = Literal["csv", "json", "parquet"]


def step_columns(scores: Scores) -> Columns:
    """One row a step of every readable run, unfinished ones included; the baseline is not a step.

    `tokens`, `usd` and `hours` are what the run had spent when the step ended. NaN is a value that does not exist.
    """
    runs = scores.runs
    sizes = [len(run.steps) for run in runs]
    kinds, requests = np.array(KINDS), np.array(REQUESTS)

    def repeated(values: list[Any]) -> NDArray[Any]:
        return np.repeat(np.array(values), sizes)

    def joined(name: str, empty: Any) -> NDArray[Any]:
        return np.concatenate([np.array([], empty), *(getattr(run.steps, name) for run in runs)])

    kind = kinds[joined("kind", np.uint8).astype(np.intp)]
    return {
        "run": repeated([run.run_id for run in runs]),
        "agent": repeated([run.agent for run in runs]),
        "model": repeated([run.model for run in runs]),
        "task": repeated([run.task for run in runs]),
        "seed": repeated([run.seed for run in runs]),
        "step": np.concatenate([np.array([], np.int64), *(np.arange(1, size + 1) for size in sizes)]),
        "kind": kind,
        "ok": kind == "ok",
        "request": requests[joined("request", np.uint8).astype(np.intp)],
        "parent": joined("parent", np.int32),
        "value": joined("value", np.float64),
        "improvement": joined("improvement", np.float64),
        "best_improvement": np.concatenate([np.array([], np.float64), *(run.steps.curve for run in runs)]),
        "tokens": joined("tokens", np.int64),
        "usd": joined("usd", np.float64),
        "hours": joined("hours", np.float64),
    }


def run_columns(scores: Scores) -> Columns:
    """One row a run, with every measure. `embedder` names the one that the exploration metrics depend on.

    `error_class` and `flags`, separated by spaces, are empty for runs without turns.
    """
    runs = scores.runs
    values = measured(runs, scores.embedder)
    columns: Columns = {"run": np.array([run.run_id for run in runs])}
    for name in ("agent", "model", "task", "seed", "finished", "note"):
        columns[name] = np.array([getattr(run, name) for run in runs])
    for name in (
        "baseline_val",
        "baseline_test",
        "best_val",
        "test_value",
        "improvement_val",
        "improvement_test",
        "score",
    ):
        columns[name] = np.array([getattr(run, name) for run in runs], np.float64)
    columns["error_class"] = np.array([error_class(run) or "" for run in runs])
    columns["flags"] = np.array([" ".join(sorted(error_flags(run))) for run in runs])
    columns["within_noise"] = np.array([run.within_noise for run in runs], np.float64)
    columns["embedder"] = np.array([scores.embedder or ""] * len(runs))
    return columns | {measure.key: values[:, place] for place, measure in enumerate(MEASURES)}


def write_columns(columns: Columns, path: Path, form: Format) -> None:
    """Raises AssayError if a package for the format is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if form == "parquet":
        _write_parquet(columns, path)
        return
    rows = zip(*(_plain(column) for column in columns.values()), strict=True)
    with path.open("w", newline="") as file:
        if form == "csv":
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(rows)
        else:
            json.dump([dict(zip(columns, row, strict=True)) for row in rows], file, ensure_ascii=False)


def _plain(column: NDArray[Any]) -> list[Any]:
    """Python values, None for NaN."""
    values = column.tolist()
    return [None if value != value else value for value in values] if column.dtype.kind == "f" else values


def _write_parquet(columns: Columns, path: Path) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        raise AssayError("parquet needs a package that is not installed", "pip install 'assay-bench[frames]'") from None
    parquet.write_table(pyarrow.table({name: _plain(column) for name, column in columns.items()}), path)
