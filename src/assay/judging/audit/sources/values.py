"""An index of every value that the evidence holds, to be asked for printed numbers."""

import math
import statistics
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from assay.judging.audit.model import Evidence

Kind = Literal["value", "aggregate", "log", "output", "bulk"]
"""A value as it stands in a raw file; a mean or the like of such values; printed in a log; printed in an agent's trace;
or one of a mass of values, where short numbers are found by chance."""

INFORMATIVE_DIGITS = 4
"""A number with fewer significant digits is not sought among masses of values: it would be found there by chance."""

MOST_GROUPED = 20_000


@dataclass(frozen=True, slots=True)
class Source:
    """Where a value stands. There are many, so the evidence is made only when it is asked for."""

    file: str
    kind: Kind
    line: int | None = None
    quote: str = ""
    how: str = ""

    @property
    def evidence(self) -> Evidence:
        return Evidence(file=self.file, line=self.line, quote=self.quote[:200])


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as a text prints it."""

    text: str
    value: float
    decimals: int
    percent: bool = False

    @property
    def unit(self) -> float:
        """One in the last printed digit."""
        return float(10.0**-self.decimals)

    @property
    def digits(self) -> int:
        """Significant digits."""
        return len(self.text.lower().split("e")[0].strip("+-−%").replace(".", "").replace(",", "").lstrip("0"))

    def matches(self, value: float) -> bool:
        """Whether the value prints as this number, rounded or cut off."""
        return -0.505 * self.unit <= value - self.value < 1.001 * self.unit


@dataclass
class ValueIndex:
    """Values and where they stand. Add first, then ask; asking sorts once."""

    sources: list[Source] = field(default_factory=list)
    labelled: list[tuple[str, float, Source]] = field(default_factory=list)
    """Values of small raw files with the words on the way to them."""
    grouped: list[tuple[str, float, Source]] = field(default_factory=list)
    """What was derived from values of small raw files, with the words on the way to them."""
    _values: "array[float]" = field(default_factory=lambda: array("d"))
    _where: "array[int]" = field(default_factory=lambda: array("i"))
    _sorted: tuple[np.ndarray, np.ndarray] | None = None

    def add(self, values: "list[float] | np.ndarray", source: Source) -> None:
        """Add values that stand in one place. Not-a-numbers are found by nobody and left out."""
        numbers = np.asarray(values, dtype=np.float64).ravel()
        numbers = numbers[np.isfinite(numbers)]
        if numbers.size:
            self.sources.append(source)
            self._values.frombytes(numbers.tobytes())
            self._where.frombytes(np.full(numbers.size, len(self.sources) - 1, dtype=np.int32).tobytes())
            self._sorted = None

    def add_one(self, value: float, source: Source) -> None:
        if value - value == 0:
            self.sources.append(source)
            self._values.append(value)
            self._where.append(len(self.sources) - 1)
            self._sorted = None

    def add_labelled(self, labels: str, value: float, source: Source) -> None:
        self.add_one(value, source)
        self.labelled.append((labels, value, source))

    def add_grouped(self, labels: str, value: float, source: Source) -> None:
        self.add_one(value, source)
        if len(self.grouped) < MOST_GROUPED:
            self.grouped.append((labels, value, source))

    def __len__(self) -> int:
        return len(self._values)

    def find(self, printed: Printed) -> Source | None:
        """The best source that holds the number at its printed precision, as it is or as a percentage."""
        scales = [1.0, 0.01] if printed.percent or abs(printed.value) > 1 else [1.0, 100.0]
        found = [source for scale in scales for source in self._between(printed, scale)]
        return min(found, key=lambda source: RANK[source.kind], default=None)

    def _between(self, printed: Printed, scale: float) -> list[Source]:
        if self._sorted is None:
            self._sort()
        assert self._sorted is not None
        values, indices = self._sorted
        out = []
        for sign in (1, -1):
            low = (sign * printed.value - 0.505 * printed.unit) * scale
            high = (sign * printed.value + 1.001 * printed.unit) * scale
            first, last = np.searchsorted(values, [low, high])
            kinds = [self.sources[i] for i in np.unique(indices[first : min(last, first + 5000)])[:200]]
            out += [s for s in kinds if s.kind != "bulk" or printed.digits >= INFORMATIVE_DIGITS]
        return out

    def _sort(self) -> None:
        values = np.frombuffer(self._values, dtype=np.float64)
        order = np.argsort(values, kind="stable")
        self._sorted = (values[order], np.frombuffer(self._where, dtype=np.int32)[order])


def aggregates(numbers: Sequence[float]) -> dict[str, float]:
    """What reports state of many values: mean, spread, extremes, median, sum, last. Nothing of fewer than two."""
    numbers = [n for n in numbers if n - n == 0]
    if len(numbers) < 2:
        return {}
    count, total = len(numbers), math.fsum(numbers)
    mean = total / count
    squares = math.fsum((n - mean) ** 2 for n in numbers)
    return {
        "mean": mean,
        "standard deviation": math.sqrt(squares / count),
        "sample standard deviation": math.sqrt(squares / (count - 1)),
        "standard error": math.sqrt(squares / (count - 1) / count),
        "median": statistics.median(numbers),
        "minimum": min(numbers),
        "maximum": max(numbers),
        "sum": total,
        "last": numbers[-1],
    }


RANK: dict[Kind, int] = {"value": 0, "aggregate": 1, "output": 2, "log": 3, "bulk": 4}
