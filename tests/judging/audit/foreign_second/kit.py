"""What the folders share: how agents print tables, logs and raw results."""

import json
import random
import re
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path

Folder = dict[str, str]
"""Path inside the folder to the text that stands there."""

PIXEL = "not a picture: the audit reads none\n"


def lay(folder: Folder, root: Path) -> Path:
    """Write a folder's files below `root`."""
    for path, text in folder.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return root


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]) + "\n"


def dump(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def rows_csv(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return "\n".join([",".join(header), *(",".join(str(cell) for cell in row) for row in rows)]) + "\n"


def log(messages: Iterable[str], *, seed: int, seconds: float = 6.0, level: str = "INFO") -> str:
    """A log as Python's logging leaves it: steps take the time they state, others uneven times."""
    rng = random.Random(seed)
    clock = datetime(2025, 5, 11, 14, 7, 23, 418000) + timedelta(seconds=rng.uniform(0, 3000))
    lines = []
    for message in messages:
        stated = re.search(r"(?:\(|in )(\d+\.\d)s", message)
        took = float(stated[1]) + rng.uniform(-0.05, 0.05) if stated else seconds * rng.lognormvariate(-0.2, 0.6)
        clock += timedelta(seconds=max(took, 0.001))
        lines.append(f"{clock:%Y-%m-%d %H:%M:%S},{clock.microsecond // 1000:03d} - {level} - {message}")
    return "\n".join(lines) + "\n"


def notebook(*cells: tuple[str, str, str]) -> str:
    """Cells as (kind, source, printed output)."""
    made = []
    for number, (kind, source, printed) in enumerate(cells, 1):
        cell: dict[str, object] = {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
        if kind == "code":
            cell["execution_count"] = number
            cell["outputs"] = (
                [{"output_type": "stream", "name": "stdout", "text": printed.splitlines(keepends=True)}]
                if printed
                else []
            )
        made.append(cell)
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
