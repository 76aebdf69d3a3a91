"""Log lines: their times, their numbers, their words."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from assay.judging.audit.inventory import File
from assay.judging.audit.sources.values import Source, ValueIndex, aggregates

STAMP = re.compile(
    r"(?P<date>\d{4}[-/]\d\d[-/]\d\d)[ T](?P<clock>\d\d:\d\d:\d\d)(?P<fraction>[.,]\d{1,9})?"
    r"|^\W{0,2}(?P<bare>\d\d:\d\d:\d\d)(?P<bare_fraction>[.,]\d{1,9})?\b"
)
DECIMAL = re.compile(r"(?<![\w.])-?\d+\.\d+(?:[eE][-+]?\d+)?%?")
ANY_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?")
MOST_LINES = 200_000
MOST_SERIES = 20_000
"""Lines of a log that are looked at for series."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a log with the time it bears."""

    number: int
    text: str
    at: datetime | None
    fraction: str
    """The digits after the second, as printed; empty if there are none."""

    @property
    def words(self) -> str:
        """The line without its stamp."""
        return STAMP.sub("", self.text, count=1)


@dataclass(frozen=True)
class Log:
    """A log file."""

    file: str
    lines: tuple[Line, ...]

    @property
    def stamped(self) -> list[Line]:
        return [line for line in self.lines if line.at]

    @property
    def span(self) -> timedelta:
        times = [line.at for line in self.lines if line.at]
        return max(times) - min(times) if times else timedelta()


def read_log(file: File) -> Log:
    """A log's lines; carriage returns of progress bars count as line ends, and only their last state is kept."""
    lines = []
    for number, text in enumerate(file.text.split("\n")[:MOST_LINES], start=1):
        shown = text.rstrip("\r").rsplit("\r", 1)[-1].strip()
        if shown:
            at, fraction = _time(shown)
            lines.append(Line(number, shown[:2000], at, fraction))
    return Log(file.name, tuple(lines))


def index_series(log: Log, index: ValueIndex) -> None:
    """Add what reports state of numbers that a log prints again and again: the mean time of an epoch, the best score.
    Lines that differ in their numbers alone are one series."""
    series: dict[tuple[str, int], list[float]] = {}
    for line in log.lines[:MOST_SERIES]:
        words = line.words
        found = ANY_NUMBER.findall(words)
        if any("." in number for number in found):
            shape = ANY_NUMBER.sub("#", words)
            for place, number in enumerate(found):
                if "." in number:
                    series.setdefault((shape, place), []).append(float(number))
    for (shape, _), numbers in series.items():
        for name, value in aggregates(numbers).items():
            how = f"{name} of {len(numbers)} lines of the log"
            index.add_one(value, Source(log.file, "aggregate", quote=shape.strip()[:120], how=how))


def index_text(text: str, source: Source, index: ValueIndex) -> None:
    """Add the decimals that a text prints."""
    found = [float(match.rstrip("%")) for match in DECIMAL.findall(text)]
    if found:
        index.add(found, source)


def _time(text: str) -> tuple[datetime | None, str]:
    match = STAMP.search(text[:60])
    if match is None:
        return None, ""
    date = (match["date"] or "2000-01-01").replace("/", "-")
    try:
        at = datetime.fromisoformat(f"{date}T{match['clock'] or match['bare']}")
    except ValueError:
        return None, ""
    return at, (match["fraction"] or match["bare_fraction"] or "").lstrip(".,")
