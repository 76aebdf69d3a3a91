"""Files across the border of the sandbox, for tasks whose candidate is a script, and tables read strictly.

What a script leaves is hostile: functions here raise InvalidOutput with a sentence that names the row and the column.
"""

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from assay.tasks.grader import InvalidOutput
from assay.tasks.payload import Payload

CSV_CHARACTERS = 1 << 24


def as_files(files: Mapping[str, str | bytes]) -> Payload:
    """For `prepare`: files by their path in the workspace."""
    return {path: as_file(content) for path, content in files.items()}


def as_file(content: str | bytes) -> np.ndarray[Any, Any]:
    """One file as it crosses the border: an array of its bytes."""
    return np.frombuffer(content.encode() if isinstance(content, str) else content, np.uint8)


def as_csv(columns: Mapping[str, Iterable[Any]]) -> str:
    """A table by column. Floats are written so that they are read back exactly; None is an empty field."""
    return as_rows([columns, *zip(*columns.values(), strict=True)])


def as_rows(rows: Iterable[Iterable[Any]]) -> str:
    """A table by row, the header first; fields as in `as_csv`."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows([_plain(value) for value in row] for row in rows)
    return out.getvalue()


def as_npz(**arrays: np.ndarray[Any, Any]) -> bytes:
    """Arrays as a file for `np.load`. The same arrays give the same bytes."""
    out = io.BytesIO()
    np.savez(out, **arrays)  # type: ignore[arg-type]
    return out.getvalue()


def text_of(outputs: Payload, path: str) -> str:
    """The text of a file that the script left."""
    data = outputs.get(path)
    if not isinstance(data, np.ndarray) or data.dtype != np.uint8 or data.ndim != 1:
        raise InvalidOutput(f"the script left no file {path}")
    try:
        return data.tobytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidOutput(f"{path} is not UTF-8 text: {error}") from None


def json_of(outputs: Payload, path: str) -> Any:
    """The content of a JSON file that the script left."""
    try:
        return json.loads(text_of(outputs, path))
    except (ValueError, RecursionError) as error:
        raise InvalidOutput(f"{path} is not JSON: {error}") from None


def table_of(outputs: Payload, path: str, ids: Sequence[str], columns: Sequence[str]) -> dict[str, list[str]]:
    """The columns of a CSV file, joined on its column `id` and in the order of `ids`; the file's own order is free.

    Every id must be there exactly once, and no other.
    """
    text = text_of(outputs, path)
    if len(text) > CSV_CHARACTERS:
        raise InvalidOutput(f"{path} has more than {CSV_CHARACTERS} characters")
    try:
        head, *rows = list(csv.reader(io.StringIO(text))) or [[]]
    except csv.Error as error:
        raise InvalidOutput(f"{path} is not a CSV file: {error}") from None
    missing = [name for name in ("id", *columns) if name not in head]
    if missing:
        raise InvalidOutput(f"{path} has no column '{missing[0]}'; it has: {', '.join(head)[:200]}")
    found: dict[str, list[str]] = {}
    place = head.index("id")
    for number, row in enumerate(rows, start=2):
        if not row:
            continue
        if len(row) != len(head):
            raise InvalidOutput(f"{path}, line {number}: {len(row)} fields, expected {len(head)}")
        if row[place] in found:
            raise InvalidOutput(f"{path}, line {number}: id '{row[place][:50]}' occurs twice")
        found[row[place]] = row
    for wanted in ids:
        if wanted not in found:
            raise InvalidOutput(f"{path} has no row for id '{wanted}'")
    if len(found) != len(ids):
        raise InvalidOutput(f"{path} has {len(found)} rows, expected {len(ids)}")
    return {name: [found[wanted][head.index(name)] for wanted in ids] for name in columns}


def numbers_of(table: Mapping[str, Sequence[str]], name: str, path: str) -> np.ndarray[Any, Any]:
    """A column as finite numbers."""
    values = []
    for number, text in enumerate(table[name], start=1):
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise InvalidOutput(f"{path}, column '{name}', row {number}: '{text[:50]}' is not a finite number")
        values.append(value)
    return np.array(values, np.float64)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    return "" if value is None else repr(value) if isinstance(value, float) else value
