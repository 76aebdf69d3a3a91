"""The summary that the plain researcher's experiment wrote, read back: every number of the paper comes from here."""

from pathlib import Path

from pydantic import ValidationError

from assay.base import Frozen
from assay.errors import AssayError

SUMMARY = "results/summary.json"
RUNS = "results/runs.csv"
FIGURE = "results/curves.svg"


class Curve(Frozen):
    """One method over all levels."""

    method: str
    mean: tuple[float, ...]
    sd: tuple[float, ...]
    change: float
    """From the first level to the last."""


class Lead(Frozen):
    """The best method at one level, and how far it is ahead of the next, over the same seeds."""

    level: float
    method: str
    next: str
    difference: float
    low: float
    high: float
    """95 % interval of the mean paired difference, by Student's t."""

    @property
    def clear(self) -> bool:
        return self.low > 0


class Findings(Frozen):
    """The content of `results/summary.json`."""

    measure: str
    repetitions: int
    test_rows: int
    levels: tuple[float, ...]
    curves: tuple[Curve, ...]
    leads: tuple[Lead, ...]

    @property
    def steadiest(self) -> Curve:
        """The method whose measure fell least, or rose most."""
        return max(self.curves, key=lambda curve: curve.change)

    @property
    def least_steady(self) -> Curve:
        return min(self.curves, key=lambda curve: curve.change)


def read_findings(root: Path) -> Findings:
    """Raises AssayError if the experiment left none."""
    try:
        return Findings.model_validate_json((root / SUMMARY).read_text(encoding="utf-8"))
    except (OSError, ValidationError) as error:
        raise AssayError(f"the experiment left no summary that can be read: {error}", "see results/log.txt") from None
