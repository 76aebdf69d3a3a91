"""Rows of a publisher's table, and who gets which: training, validation and test, the same on every machine."""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import numpy as np

from assay.errors import UsageError

SEED = 2310_03302
"""Fixed and no secret: what a candidate cannot have are the originals, not the rule by which they are split."""
HELD_OUT = 0.2
"""The share of rows that each of val and test gets."""
FEWEST_ROWS = 5

Row = dict[str, str]
Item = TypeVar("Item")


@dataclass(frozen=True)
class Split3(Generic[Item]):
    """Val and test have the same number of items."""

    train: list[Item]
    val: list[Item]
    test: list[Item]


def read_rows(file: Path, columns: Sequence[str]) -> list[Row]:
    """A CSV file by row. Raises UsageError that names the file and what it lacks."""
    with file.open(encoding="utf-8-sig", newline="") as lines:
        reader = csv.DictReader(lines)
        missing = [name for name in columns if name not in (reader.fieldnames or ())]
        if missing:
            raise UsageError(f"{file} has no column '{missing[0]}'", f"it should have: {', '.join(columns)}")
        rows = list(reader)
    for number, row in enumerate(rows, start=2):
        if None in row or None in row.values():
            raise UsageError(f"{file}, line {number}: not as many fields as the header has", "fetch it again")
    return rows


def write_rows(rows: Iterable[Row], columns: Sequence[str]) -> bytes:
    """A CSV file of some columns."""
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode()


def divide(items: Sequence[Item], group: Callable[[Item], str] | None = None) -> Split3[Item]:
    """Three parts by chance of a fixed seed; items of one group never lie in two parts.

    Val and test are cut to the same length; what is cut off is used nowhere. Raises UsageError if there is too little.
    """
    groups: dict[str, list[Item]] = {}
    for number, item in enumerate(items):
        groups.setdefault(group(item) if group else str(number), []).append(item)
    queue = shuffled(list(groups.values()))
    wanted = int(HELD_OUT * len(items))
    parts: list[list[Item]] = []
    for _ in ("test", "val"):
        part: list[Item] = []
        while queue and len(part) < wanted:
            part += queue.pop()
        parts.append(part)
    size = min(len(part) for part in parts)
    train = [item for those in queue for item in those]
    if size < FEWEST_ROWS or len(train) < FEWEST_ROWS:
        raise UsageError(f"{len(items)} rows are too few to be split", "is the file cut off? fetch it again")
    return Split3(train, parts[1][:size], parts[0][:size])


def halves(items: Sequence[Item]) -> tuple[list[Item], list[Item]]:
    """Two parts of the same length by chance of a fixed seed, for a published test set. Raises UsageError likewise."""
    size = len(items) // 2
    if size < FEWEST_ROWS:
        raise UsageError(f"{len(items)} rows are too few to be split", "is the file cut off? fetch it again")
    mixed = shuffled(items)
    return mixed[:size], mixed[size : 2 * size]


def shuffled(items: Sequence[Item]) -> list[Item]:
    """In an order of chance of a fixed seed."""
    return [items[n] for n in np.random.default_rng(SEED).permutation(len(items))]
