"""Files at the border of a script task: what val and test must share, columns given back as answers, odd files."""

import csv
import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import PurePath
from typing import Any

import numpy as np

from assay.evaluation.recording import Call, Change, Outputs
from assay.tasks.files import as_file, as_rows

Bytes = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Table:
    """A CSV file with a column `id`: the other columns by name, and the rows by id."""

    columns: tuple[str, ...]
    rows: Mapping[str, tuple[str, ...]]


def form(path: str, data: Bytes) -> str:
    """What of a file must be the same on val and test; its length in bytes may differ with the data.

    Of a CSV file the header and the number of rows, of an .npz file the names, types and shapes of its arrays, of any
    other file that it is there.
    """
    if PurePath(path).suffix == ".csv":
        lines = _lines(data.tobytes())
        return f"{','.join(lines[0]) if lines else 'nothing'} with {max(len(lines) - 1, 0)} rows"
    if PurePath(path).suffix == ".npz":
        with np.load(io.BytesIO(data.tobytes())) as arrays:
            return ", ".join(f"{name} {arrays[name].dtype}{list(arrays[name].shape)}" for name in arrays)
    return "a file"


def table(path: str, data: Any) -> Table | None:
    """None for what is not a CSV file with distinct ids."""
    if PurePath(path).suffix != ".csv" or not isinstance(data, np.ndarray):
        return None
    return _parsed(data.tobytes())


# a replay reads the same few files again for every column that it tries
@lru_cache(maxsize=16)
def _parsed(data: bytes) -> Table | None:
    head, *rows = _lines(data) or [[]]
    if "id" not in head or any(len(row) != len(head) for row in rows):
        return None
    place = head.index("id")
    found = {row[place]: (*row[:place], *row[place + 1 :]) for row in rows}
    return Table((*head[:place], *head[place + 1 :]), found) if len(found) == len(rows) else None


def column_echoes(calls: list[Call]) -> list[tuple[str, Change]]:
    """Every column of a CSV file that has a row for each id of an output, with the change that gives it back as answer.

    For an answer of several columns: every run of as many neighbouring columns.
    """
    found: dict[str, Change] = {}
    for call in calls:
        for output, left in call.outputs.items():
            wanted = table(output, left)
            for path, data in call.inputs.items() if wanted else ():
                given = table(path, data)
                if wanted is None or given is None or not wanted.rows.keys() <= given.rows.keys():
                    continue
                for start in range(len(given.columns) - len(wanted.columns) + 1):
                    names = given.columns[start : start + len(wanted.columns)]
                    found[f"'{', '.join(names)}' of {path} given back in {output}"] = _give_back(output, path, start)
    return list(found.items())


def unseen(calls: list[Call]) -> list[str]:
    """Files whose columns cannot be tried as answers, by path."""
    files = {path: data for call in calls for path, data in (*call.inputs.items(), *call.outputs.items())}
    return sorted(path for path, data in files.items() if table(path, data) is None)


def odd_files() -> dict[str, Callable[[Any], Any]]:
    """What a script might leave in place of its file: nothing, halves of it, fields that are no numbers, wrong JSON."""
    whole = {
        "an empty file": b"",
        "no text": b"\xff\xfe\x00",
        "one quote": b'"',
        "an endless field": b"id\n" + b"9" * 200_000,
        "deep JSON": b"[" * 100_000,
        "JSON null": b"null",
        "a JSON list": b"[]",
        "a JSON object": b"{}",
    }
    odd: dict[str, Callable[[Any], Any]] = {what: _always(data) for what, data in whole.items()}
    odd["the first line alone"] = _lines_changed(lambda lines: lines[:1])
    odd["a row less"] = _lines_changed(lambda lines: lines[:-1])
    odd["the last row twice"] = _lines_changed(lambda lines: lines + lines[-1:])
    odd["a field less in a row"] = _lines_changed(lambda lines: [*lines[:-1], lines[-1][:-1]])
    for field in ("nan", "inf", "1e300", "-1e300", "-1", "0.5", "", "x", "\0", "9" * 5000):
        odd[f"'{field[:9]}' in every field"] = _lines_changed(partial(_filled, field))
    return odd


def _give_back(output: str, path: str, start: int) -> Change:
    def change(inputs: dict[str, Any], outputs: Outputs) -> Outputs:
        given, wanted = table(path, inputs.get(path)), table(output, outputs.get(output))
        if given is None or wanted is None or not wanted.rows.keys() <= given.rows.keys():
            return outputs
        width = len(wanted.columns)
        rows = [(id, *given.rows[id][start : start + width]) for id in wanted.rows]
        return {**outputs, output: as_file(as_rows([("id", *wanted.columns), *rows]))}

    return change


def _always(data: bytes) -> Callable[[Any], Any]:
    return lambda value: as_file(data)


def _lines_changed(change: Callable[[list[list[str]]], list[list[str]]]) -> Callable[[Any], Any]:
    def changed(value: Any) -> Any:
        lines = _lines(value.tobytes()) if isinstance(value, np.ndarray) else []
        return as_file(as_rows(change(lines))) if len(lines) > 1 else value

    return changed


def _filled(field: str, lines: list[list[str]]) -> list[list[str]]:
    """The same field everywhere but in the header and the ids."""
    kept = lines[0].index("id") if "id" in lines[0] else -1
    return [lines[0], *([text if n == kept else field for n, text in enumerate(row)] for row in lines[1:])]


def _lines(data: bytes) -> list[list[str]]:
    return [row for row in csv.reader(io.StringIO(data.decode("utf-8", "replace"))) if row]
