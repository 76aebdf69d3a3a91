"""Raw result files into values: JSON, JSON lines, CSV, YAML, NumPy arrays; whole if small, in pieces if large."""

import csv
import io
import json
import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from assay.judging.audit.inventory import File
from assay.judging.audit.sources.values import Source, ValueIndex, aggregates

WHOLE = 8 * 2**20
"""Up to this size a file is parsed; beyond, its decimals are taken in pieces."""
CONFUSION = (
    ("tp", "true_positives", "true_positive"),
    ("fp", "false_positives", "false_positive"),
    ("fn", "false_negatives", "false_negative"),
)
PIECE = 2**20
MOST_GROUPS = 40
FEW_ROWS = 2000
"""The rows of a longer table are not told apart."""
DECIMAL = re.compile(rb"(?<![\w.])-?\d+\.\d+(?:[eE][-+]?\d+)?")


def read_raw(file: File, index: ValueIndex) -> str | None:
    """Add a file's values to the index. Returns why it could not be read, or None."""
    try:
        if file.suffix in (".npy", ".npz"):
            _arrays(file, index)
        elif file.size > WHOLE:
            _pieces(file, index)
        elif file.suffix in (".json", ".jsonl"):
            _tree(parse_json(file.text), "", file, index)
        elif file.suffix in (".csv", ".tsv"):
            _table(read_rows(file), file, index)
        else:
            _pieces(file, index)
    except (ValueError, RecursionError, OSError, EOFError, csv.Error) as error:
        _pieces(file, index)
        return f"{file.name}: not well-formed ({type(error).__name__}); only its decimals were read"
    return None


def parse_json(text: str) -> Any:
    """JSON, or one JSON value a line."""
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        lines = [line for line in text.splitlines() if line.strip()]
        if len(lines) < 2:
            raise
        return [json.loads(line) for line in lines]


def read_rows(file: File) -> list[dict[str, str]]:
    """The rows of a CSV or TSV file."""
    text = file.text
    delimiter = "\t" if file.suffix == ".tsv" or text[:2000].count("\t") > text[:2000].count(",") else ","
    reader = csv.DictReader(io.StringIO(text), delimiter=delimiter)
    return [{str(k): str(v) for k, v in row.items() if k is not None} for row in reader]


def _tree(node: Any, path: str, file: File, index: ValueIndex) -> None:
    if isinstance(node, bool) or node is None or isinstance(node, str):
        return
    if isinstance(node, int | float):
        index.add_labelled(path, float(node), Source(file.name, "value", quote=f"{path} = {node}"))
    elif isinstance(node, dict):
        _siblings(node, path, file.name, index)
        _rates(node, path, file.name, index)
        for key, value in node.items():
            _tree(value, f"{path}.{key}" if path else str(key), file, index)
    elif isinstance(node, list):
        numbers = [float(v) for v in node if isinstance(v, int | float)]
        if numbers and len(numbers) == len([v for v in node if v is not None]):
            index.add(numbers, Source(file.name, "value", quote=path))
            _aggregates(numbers, path, file.name, index)
        elif node and all(isinstance(v, dict) for v in node):
            add_records(node, path, file.name, index)
            for position, value in enumerate(node[:20_000]):
                _tree(value, f"{path}[{position}]", file, index)
        else:
            for position, value in enumerate(node[:20_000]):
                _tree(value, f"{path}[{position}]", file, index)


def _siblings(node: dict[str, Any], path: str, file: str, index: ValueIndex) -> None:
    """Means over entries of one shape: {seed0: {acc}, seed1: {acc}} has a mean acc."""
    entries = [v for v in node.values() if isinstance(v, dict)]
    if len(entries) > 1:
        keys = set.intersection(*(set(e) for e in entries[:50]))
        for key in keys:
            numbers = [float(e[key]) for e in entries if isinstance(e.get(key), int | float)]
            _aggregates(numbers, f"{path}.*.{key}", file, index)
    plain = [float(v) for v in node.values() if isinstance(v, int | float) and not isinstance(v, bool)]
    if len(plain) > 1 and len(plain) == len(node):
        _aggregates(plain, f"{path}.*", file, index)


def add_records(rows: Sequence[dict[str, Any]], path: str, file: str, index: ValueIndex) -> None:
    """Add what follows from the columns of rows: of all of them, and of those that share a word or two."""
    columns: dict[str, list[Any]] = {}
    for row in rows:
        for key, value in row.items():
            columns.setdefault(key, []).append(value)
    whole = {k: v for k, v in columns.items() if len(v) == len(rows)}
    numeric = {k: v for k, v in whole.items() if all(x is None or isinstance(x, int | float) for x in v)}
    words = {k: v for k, v in whole.items() if all(isinstance(x, str | int | bool) for x in v)}
    words = {k: v for k, v in words.items() if 1 < len(set(v)) <= MOST_GROUPS and len(set(v)) < len(v)}
    groups = list(_groups(words, len(rows))) if numeric else []
    for key, numbers in numeric.items():
        _aggregates([n for n in numbers if n is not None], f"{path}.{key}", file, index)
        for group, members in groups:
            known = [numbers[i] for i in members if numbers[i] is not None]
            _aggregates(known, f"{path}.{key} where {group}", file, index)


def _groups(words: dict[str, list[Any]], count: int) -> Iterator[tuple[str, list[int]]]:
    """Rows that share a word, or two words."""
    names = sorted(words, key=lambda n: len(set(words[n])))[:5]
    for chosen in [*((n,) for n in names), *combinations(names, 2)]:
        members: dict[tuple[Any, ...], list[int]] = {}
        for i in range(count):
            members.setdefault(tuple(words[n][i] for n in chosen), []).append(i)
        if len(members) <= 200:
            yield from ((" ".join(map(str, key)), rows) for key, rows in members.items())


def _table(rows: list[dict[str, str]], file: File, index: ValueIndex) -> None:
    typed = [{key: _typed(value) for key, value in row.items()} for row in rows]
    bulk: list[float] = []
    for number, row in enumerate(typed):
        values = {k: float(v) for k, v in row.items() if isinstance(v, int | float) and not isinstance(v, bool)}
        if len(typed) > FEW_ROWS:
            bulk += values.values()
            continue
        label = " ".join(str(v) for v in row.values() if isinstance(v, str))
        for key, value in values.items():
            source = Source(file.name, "value", number + 2, f"{label} {key} = {value}")
            index.add_labelled(f"{label} {key}", value, source)
    index.add(bulk, Source(file.name, "value"))
    add_records(typed, "", file.name, index)


def _typed(text: str) -> float | int | bool | str:
    lowered = text.strip().lower()
    if lowered in ("true", "false"):
        return lowered == "true"
    try:
        return int(lowered)
    except ValueError:
        try:
            number = float(lowered)
        except ValueError:
            return text
        return number if number == number else text


def _aggregates(numbers: list[float], path: str, file: str, index: ValueIndex) -> None:
    """What reports state of many values."""
    for name, value in aggregates(numbers).items():
        how = f"{name} of {len(numbers)} values, {path}"
        index.add_grouped(path, value, Source(file, "aggregate", quote=path, how=how))


def _rates(node: dict[str, Any], path: str, file: str, index: ValueIndex) -> None:
    """What follows from a confusion matrix: reports give rates, raw files often counts."""
    counts = {str(k).lower(): float(v) for k, v in node.items() if isinstance(v, int | float)}
    try:
        tp, fp, fn = (next(counts[n] for n in names if n in counts) for names in CONFUSION)
    except RuntimeError:
        return
    tn = next((counts[n] for n in ("tn", "true_negatives", "true_negative") if n in counts), 0.0)
    shares = {
        "precision": (tp, tp + fp),
        "recall": (tp, tp + fn),
        "F1": (2 * tp, 2 * tp + fp + fn),
        "accuracy": (tp + tn, tp + tn + fp + fn),
        "specificity": (tn, tn + fp),
        "false positive rate": (fp, fp + tn),
        "false negative rate": (fn, fn + tp),
    }
    for name, (part, whole) in shares.items():
        if whole:
            index.add_one(part / whole, Source(file, "aggregate", quote=path, how=f"{name} from the counts in {path}"))


def _arrays(file: File, index: ValueIndex) -> None:
    loaded = np.load(file.path, allow_pickle=False, mmap_mode="r" if file.suffix == ".npy" else None)
    arrays = {"": loaded} if isinstance(loaded, np.ndarray) else {name: loaded[name] for name in loaded.files}
    for name, array in arrays.items():
        if array.dtype.kind not in "fiub" or array.size == 0:
            continue
        numbers = np.asarray(array[tuple(slice(0, 1000) for _ in array.shape)], dtype=np.float64).ravel()[:100_000]
        index.add(numbers, Source(file.name, "bulk" if numbers.size > FEW_ROWS else "value", quote=name))
        _aggregates(list(map(float, numbers)), name, file.name, index)


def _pieces(file: File, index: ValueIndex) -> None:
    """Decimals of a file of any size and form, piece by piece."""
    source = Source(file.name, "bulk" if file.size > WHOLE else "value")
    rest = b""
    with file.path.open("rb") as opened:
        while piece := opened.read(PIECE):
            data = rest + piece
            cut = max(data.rfind(b"\n"), data.rfind(b","), data.rfind(b" "))
            rest = data[cut + 1 :] if cut >= 0 and len(data) - cut < 4096 else b""
            found = DECIMAL.findall(data[: len(data) - len(rest)])
            if found:
                index.add(np.unique(np.array(found, dtype="S32").astype(np.float64)), source)
    found = DECIMAL.findall(rest)
    if found:
        index.add(np.array(found, dtype="S32").astype(np.float64), source)
