"""Summaries remembered between two calls: one file for all runs of a results folder, made again whenever in doubt."""

import contextlib
import io
import json
import zipfile
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.files import write_whole
from assay.runs.paths import RunPaths
from assay.scoring.conduct.conduct import Conduct
from assay.scoring.exploration import Exploration
from assay.scoring.summary import RunSummary, Steps
from assay.tasks.facts import TaskFacts

VERSION = 3
"""To be raised with every change of what a summary holds or how it is computed."""
COLUMNS = tuple(f.name for f in fields(Steps))
PLAIN = tuple(f.name for f in fields(RunSummary) if f.name not in ("facts", "steps", "explorations", "conduct"))

Entries = dict[str, tuple["Stamp", RunSummary]]
Stamp = tuple[int, int, int, int]
"""Size and time of change of a run's two files: as long as they stay, so does its summary."""
NEVER: Stamp = (-1, -1, -1, -1)
"""Of a run one of whose files is not there."""


def stamp(paths: RunPaths) -> Stamp:
    """Raises FileNotFoundError if one of the files is not there."""
    header, events = paths.header.stat(), paths.events.stat()
    return header.st_size, header.st_mtime_ns, events.st_size, events.st_mtime_ns


class SummaryCache:
    """`results/.cache/summaries.npz`. Losing it costs time and nothing else, so no error of it ever reaches a user."""

    def __init__(self, results: Path) -> None:
        self._path = results / ".cache" / "summaries.npz"

    def load(self) -> Entries:
        """What is remembered, by run; empty if there is nothing usable."""
        try:
            with np.load(io.BytesIO(self._path.read_bytes()), allow_pickle=False) as stored:
                index = json.loads(stored["index"].tobytes())
                if index["version"] != VERSION:
                    return {}
                columns = {name: stored[name] for name in COLUMNS}
            return _unpack(index, columns)
        except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile):
            return {}

    def save(self, entries: Entries) -> None:
        """Replace what is remembered, whole or not at all."""
        index, columns = _pack(entries)
        buffer = io.BytesIO()
        columns["index"] = np.frombuffer(json.dumps(index).encode(), np.uint8)
        np.savez(buffer, allow_pickle=False, **columns)
        with contextlib.suppress(OSError):
            write_whole(self._path, buffer.getvalue())


def _pack(entries: Entries) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    facts: dict[str, int] = {}
    runs = []
    for when, run in entries.values():
        dumped = run.facts.model_dump_json()
        runs.append(
            {
                "stamp": when,
                "facts": facts.setdefault(dumped, len(facts)),
                "steps": len(run.steps),
                "explorations": {name: asdict(found) for name, found in run.explorations.items()},
                "conduct": asdict(run.conduct) if run.conduct else None,
                "plain": [getattr(run, name) for name in PLAIN],
            }
        )
    steps = [run.steps for _, run in entries.values()]
    columns = {name: np.concatenate([getattr(s, name) for s in steps]) for name in COLUMNS} if steps else {}
    return {"version": VERSION, "facts": list(facts), "runs": runs}, columns


def _unpack(index: dict[str, Any], columns: dict[str, NDArray[Any]]) -> Entries:
    facts = [TaskFacts.model_validate_json(text) for text in index["facts"]]
    found: Entries = {}
    start = 0
    for entry in index["runs"]:
        stop = start + entry["steps"]
        summary = RunSummary(
            facts=facts[entry["facts"]],
            steps=Steps(**{name: column[start:stop] for name, column in columns.items()}),
            explorations={name: Exploration(**values) for name, values in entry["explorations"].items()},
            conduct=_conduct(entry["conduct"]),
            **dict(zip(PLAIN, entry["plain"], strict=True)),
        )
        found[summary.run_id] = (tuple(entry["stamp"]), summary)
        start = stop
    return found


def _conduct(stored: dict[str, Any] | None) -> Conduct | None:
    if stored is None:
        return None
    return Conduct(**{**stored, "flags": tuple(stored["flags"]), "claims": tuple(stored["claims"])})
