"""Many files of one name, each of one run: what a report says of all of them together."""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath
from typing import Any

from assay.judging.audit.inventory import File
from assay.judging.audit.sources.logs import ANY_NUMBER, Log
from assay.judging.audit.sources.raw import add_records
from assay.judging.audit.sources.values import ValueIndex

SMALL = 64 * 2**10
"""A file of one run, with its outcome and its settings."""
FEWEST = 3
"""So many files of one name make a series of runs."""
SETTINGS = re.compile(r"config|hparams|args|params|overrides|settings", re.I)
SETTING = re.compile(r"^[ \t\-{\"']*([A-Za-z_][\w.]*)[\"']?[ \t]*[:=][ \t]*[\"']?([\w.\-]+)[\"',}]*$", re.M)
Row = dict[str, Any]


def read_runs(files: Sequence[File], logs: Sequence[Log], index: ValueIndex) -> None:
    """Add what follows from runs that each left a file of the same name: `runs/*/result.json` has a mean result, and
    so has the last line of `runs/*/main.log`. Runs are told apart by the words in their files, by the folders they lie
    in, and by the settings beside them."""
    settings = _settings(files)
    alike: dict[str, list[Row]] = {}
    for name, outcome in [*_results(files), *_endings(logs)]:
        *folders, base = name.split("/")
        where = {f"folder {depth}": folder for depth, folder in enumerate(folders)}
        alike.setdefault(re.sub(r"\d+", "#", base), []).append(where | settings.get("/".join(folders), {}) | outcome)
    for base, rows in alike.items():
        if len(rows) >= FEWEST:
            add_records(rows, "", f"{len(rows)} files {base}", index)


def _results(files: Sequence[File]) -> Iterator[tuple[str, Row]]:
    for file in files:
        if file.suffix == ".json" and file.size <= SMALL and not SETTINGS.search(file.stem):
            try:
                loaded = json.loads(file.text)
            except (ValueError, RecursionError):
                continue
            if isinstance(loaded, dict):
                yield file.name, {k: v for k, v in loaded.items() if isinstance(v, int | float | str)}


def _endings(logs: Sequence[Log]) -> Iterator[tuple[str, Row]]:
    """The numbers of each log's last line that has any, by the words before them."""
    for log in logs:
        last = next((line.words for line in reversed(log.lines) if "." in "".join(ANY_NUMBER.findall(line.words))), "")
        pieces = ANY_NUMBER.split(last)
        yield log.file, {words: float(n) for words, n in zip(pieces, ANY_NUMBER.findall(last), strict=False)}


def _settings(files: Sequence[File]) -> dict[str, Row]:
    """What was set for the runs of each folder: by a file in it, or in a folder of its own below it."""
    found: dict[str, Row] = {}
    for file in files:
        if SETTINGS.search(file.stem) and file.size <= SMALL and file.suffix in (".yaml", ".yml", ".json"):
            folder = PurePosixPath(file.name).parent
            for place in {folder, folder.parent if folder.name.startswith(".") or folder.name == "files" else folder}:
                found.setdefault("" if place.name == "" else str(place), {}).update(SETTING.findall(file.text))
    return found
