"""Numbers in texts that agents and scripts wrote, and whether one can be the other.

Signs are left out: a loss and a likelihood differ in nothing else.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations

TOLERANCE = 0.005
"""Relative difference up to which two numbers are the same."""
ROUGHLY = 0.05
"""The same for a number that is called approximate."""
SMALL = 1000
"""Whole numbers below this count or name something; they stand for themselves and for nothing near them."""

PLAIN = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_WRITTEN = re.compile(rf"({PLAIN.pattern})(%?)")
_GROUPED = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])")


@dataclass(frozen=True)
class Number:
    """A number as it is written."""

    text: str
    value: float
    digits: int
    """Behind the decimal point; fewer than none for a large power of ten."""
    percent: bool = False
    roughly: bool = False
    change: bool = False
    """It tells a difference and no level."""

    @property
    def readings(self) -> tuple[tuple[float, float], ...]:
        """Value and unit of the last digit, as written and as a share or a percentage of the same."""
        unit = 10.0**-self.digits
        factor = 0.01 if self.percent else 100.0
        return (self.value, unit), (self.value * factor, unit * factor)

    @property
    def rest(self) -> "Number":
        """What is missing to a whole: of an accuracy, the error."""
        return replace(self, value=abs((100.0 if self.percent else 1.0) - self.value))


@dataclass
class Seen:
    """Numbers that were seen, to be asked for one that may be rounded."""

    near: set[float] = field(default_factory=set)
    exact: set[float] = field(default_factory=set)
    """Those that stand for nothing but themselves: counts, and what was set."""
    _sorted: tuple[list[float], list[float]] | None = None

    def add(self, text: str) -> None:
        """Every number of a text; `18,234` is read in both ways that it can be meant."""
        for number, percent in _WRITTEN.findall(text):
            value = float(number)
            (self.exact if number.isdigit() and value < SMALL and not percent else self.near).add(value)
        self.near.update(float(match.replace(",", "")) for match in _GROUPED.findall(text))

    def matches(self, number: Number) -> list[float]:
        """What was seen and can be meant: equal within the tolerance, or once rounded or cut to the digits."""
        near, exact = self._in_order()
        found: list[float] = []
        for value, unit in number.readings:
            share = ROUGHLY if number.roughly else TOLERANCE
            # rounded, the original lies half a unit around what is written; cut off, up to a whole one above
            found += _between(near, min(value / (1 + share), value - unit / 2), max(value / (1 - share), value + unit))
        return found + _between(exact, number.value, number.value)

    def _in_order(self) -> tuple[list[float], list[float]]:
        if self._sorted is None or [len(each) for each in self._sorted] != [len(self.near), len(self.exact)]:
            self._sorted = sorted(self.near), sorted(self.exact)
        return self._sorted


def derived(values: Iterable[float]) -> Seen:
    """What follows from two of these numbers: difference, mean, ratio, relative change."""
    known = sorted(set(values))
    found: set[float] = set()
    for a, b in combinations(known, 2):
        found |= {b - a, (a + b) / 2, a / b, (b - a) / b}
        found |= {b / a, (b - a) / a} if a else set()
    return Seen(near=found)


def _between(ordered: list[float], low: float, high: float) -> list[float]:
    """Up to three of them: which it was exactly does not matter, and there can be many."""
    slack = 1e-9 * abs(high)
    first = bisect_left(ordered, low - slack)
    return [value for value in ordered[first : first + 3] if value < high + slack]
