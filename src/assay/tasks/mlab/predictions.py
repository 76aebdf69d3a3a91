"""Tasks whose answer is `submission.csv`: a row for each id of the split, joined on it, whatever its order."""

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from assay.tasks.files import as_files, numbers_of, table_of
from assay.tasks.grader import Grade, InvalidOutput
from assay.tasks.installed import Arrangement, Held, Installed
from assay.tasks.mlab.splits import Row, Split3, divide, read_rows, write_rows
from assay.tasks.outcome import Split
from assay.tasks.payload import Payload

SUBMISSION = "submission.csv"
Columns = Mapping[str, Sequence[str]]
Array = np.ndarray[Any, Any]
Score = Callable[[Columns, Columns], Grade]
"""Truth and prediction by column, rows in the same order. Raises InvalidOutput for what cannot be scored."""


@dataclass(frozen=True)
class Predictions:
    """The grader of such a task: `prepare` and `grade`."""

    task: str
    targets: tuple[str, ...]
    score: Score

    def prepare(self, split: Split, seed: int) -> Payload:
        """The task's files, and the seed as a file."""
        return as_files({**Installed(self.task).inputs(split), "seed.txt": f"{seed}\n"})

    def grade(self, outputs: Payload, split: Split, seed: int) -> Grade:
        head, *rows = _lines(Installed(self.task).answers(split))
        truth = {name: [row[n] for row in rows] for n, name in enumerate(head)}
        return self.score(truth, table_of(outputs, SUBMISSION, truth["id"], self.targets))

    def held(self, inputs: Mapping[str, bytes], rows: Sequence[Row]) -> Held:
        """One split: its inputs, and the rows whose columns `id` and the targets are the answers."""
        return Held(inputs, write_rows(rows, ("id", *self.targets)))


@dataclass(frozen=True)
class Table:
    """A publisher's CSV file that holds inputs and targets, for `arrange`."""

    predictions: Predictions
    file: str
    id: str
    """The column that names a row; candidates know it as `id`."""
    columns: tuple[str, ...] = ()
    """Further columns that the file must have."""
    group: Callable[[Row], str] | None = None
    """Rows with the same group are never divided."""

    def arrange(self, originals: Path) -> Arrangement:
        targets = self.predictions.targets
        rows = read_rows(originals / self.file, (self.id, *self.columns, *targets))
        named = [{"id": row[self.id], **{k: v for k, v in row.items() if k != self.id}} for row in rows]
        return self.arranged(divide(named, self.group))

    def arranged(self, parts: Split3[Row]) -> Arrangement:
        """`train.csv` with the targets, `test.csv` without."""
        targets = self.predictions.targets
        columns = tuple(parts.train[0])
        visible = tuple(name for name in columns if name not in targets)
        val, test = (
            self.predictions.held({"test.csv": write_rows(rows, visible)}, rows) for rows in (parts.val, parts.test)
        )
        return Arrangement({"train.csv": write_rows(parts.train, columns)}, val, test)


def accuracy(target: str, labels: Sequence[str]) -> Score:
    """The share of rows whose label is right."""
    known = frozenset(labels)

    def score(truth: Columns, told: Columns) -> Grade:
        odd = [label for label in told[target] if label not in known]
        if odd:
            raise InvalidOutput(f"{SUBMISSION}: '{odd[0][:50]}' is no label; they are {labels[0]} … {labels[-1]}")
        right = [a == b for a, b in zip(truth[target], told[target], strict=True)]
        return mean("accuracy", np.array(right, np.float64))

    return score


def mean_absolute_error(target: str) -> Score:
    def score(truth: Columns, told: Columns) -> Grade:
        return mean("mean_absolute_error", np.abs(numbers(truth, target) - numbers(told, target)))

    return score


def mean_column_rmse(*targets: str) -> Score:
    """The root of the mean squared error of each column, averaged over the columns."""

    def score(truth: Columns, told: Columns) -> Grade:
        errors = {name: numbers(told, name) - numbers(truth, name) for name in targets}
        roots = {f"rmse_{name}": float(np.sqrt((error**2).mean())) for name, error in errors.items()}
        return Grade({"mean_column_rmse": sum(roots.values()) / len(roots), **roots})

    return score


def numbers(columns: Columns, name: str) -> Array:
    """Finite numbers, and none so large that its square is not."""
    values = numbers_of(columns, name, SUBMISSION)
    if (np.abs(values) > 1e100).any():
        raise InvalidOutput(f"{SUBMISSION}, column '{name}': a number is larger than 1e100")
    return values


def mean(name: str, values: Array) -> Grade:
    """The mean over rows, with its standard error."""
    error = float(values.std(ddof=1) / np.sqrt(len(values))) if len(values) > 1 else 0.0
    return Grade({name: float(values.mean())}, {name: error})


def _lines(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode())))
