"""How far a judge agrees with people: the published procedure, and what it lacks.

A p value above 0.05 shows no agreement; it shows that no difference was found. So beside the published test of absolute
differences stand the rank correlation between people and judge, its own bias, and a test of equivalence with a margin.
"""

import csv
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.errors import UsageError

HUMAN, JUDGE = "_human", "_llm"
MARGIN = 1.0
"""By how many points the judge may differ more from people than people do, and still count as equivalent."""
RESAMPLES = 2000

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Row:
    """One person's rating of one item, and the judge's of the same item."""

    reviewer: str
    item: tuple[str, ...]
    human: float
    judge: float


@dataclass(frozen=True)
class Interval:
    """An estimate with its 95 % interval; None where there is too little data."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Agreement:
    """One dimension."""

    dimension: str
    human_pairs: int
    """Absolute differences between two people about the same item."""
    judge_pairs: int
    """Absolute differences between a person and the judge."""
    mean_human: float
    mean_judge: float
    difference_humans: Interval
    difference_judge: Interval
    u: float | None
    """Mann–Whitney U of the human–human sample; two-sided, asymptotic with ties and continuity correction."""
    p: float | None
    equivalence_p: float | None
    """Two one-sided Welch tests: small if the two mean differences are within the margin of each other."""
    bias: Interval
    """Judge less people, item by item."""
    rank_humans: Interval
    """Spearman between two people."""
    rank_judge: Interval
    """Spearman between the mean of the people and the judge."""

    @property
    def equivalent(self) -> bool | None:
        return None if self.equivalence_p is None else self.equivalence_p < 0.05


def read_scores(file: Path) -> dict[str, list[Row]]:
    """Rows by dimension from a CSV with `reviewer_id`, `<Dimension>_human`, `<Dimension>_llm`; the item is named by
    `item`, or by `workshop_name` and `model_name`. Raises UsageError that names file, line and column."""
    try:
        with file.open(newline="", encoding="utf-8") as handle:
            lines = list(csv.DictReader(handle))
    except FileNotFoundError:
        raise UsageError(f"{file} does not exist", "see docs/judging.md for its columns") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise UsageError(f"{file} is not a CSV file: {error}", "see docs/judging.md for its columns") from None
    columns = list(lines[0]) if lines else []
    names = [c.removesuffix(HUMAN) for c in columns if c.endswith(HUMAN) and c.removesuffix(HUMAN) + JUDGE in columns]
    keys = [c for c in ("item", "workshop_name", "model_name") if c in columns]
    if not names or not keys or "reviewer_id" not in columns:
        raise UsageError(
            f"{file} has no ratings",
            "it needs reviewer_id, item (or workshop_name and model_name), and for each dimension X the columns "
            f"X{HUMAN} and X{JUDGE}; it has: {', '.join(columns) or 'nothing'}",
        )
    found: dict[str, list[Row]] = {name: [] for name in names}
    for number, line in enumerate(lines, start=2):
        for name in names:
            try:
                human, judge = float(line[name + HUMAN]), float(line[name + JUDGE])
            except (TypeError, ValueError):
                raise UsageError(
                    f"{file}, line {number}: '{name}' is not a number", "leave out rows without it"
                ) from None
            found[name].append(Row(line["reviewer_id"], tuple(line[key] for key in keys), human, judge))
    return found


def agreement(dimension: str, rows: Sequence[Row], margin: float = MARGIN) -> Agreement:
    """Everything about one dimension."""
    from scipy import stats

    groups: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.item].append(row)
    pairs = [pair for group in groups.values() for pair in _pairs(group)]
    humans = np.array([abs(a - b) for a, b in pairs])
    judged = np.array([abs(row.human - row.judge) for row in rows])
    means = np.array([[np.mean([r.human for r in group]), group[0].judge] for group in groups.values()])
    test = stats.mannwhitneyu(humans, judged, alternative="two-sided", method="asymptotic") if len(humans) else None
    return Agreement(
        dimension=dimension,
        human_pairs=len(humans),
        judge_pairs=len(judged),
        mean_human=float(np.mean([row.human for row in rows])),
        mean_judge=float(np.mean([row.judge for row in rows])),
        difference_humans=_interval(humans[:, None], _mean),
        difference_judge=_interval(judged[:, None], _mean),
        u=float(test.statistic) if test else None,
        p=float(test.pvalue) if test else None,
        equivalence_p=_equivalence(humans, judged, margin),
        bias=_interval((means[:, 1] - means[:, 0])[:, None], _mean),
        rank_humans=_interval(np.array(pairs).reshape(-1, 2), _spearman),
        rank_judge=_interval(means, _spearman),
    )


def _pairs(group: Sequence[Row]) -> list[tuple[float, float]]:
    """Ratings of two different people with equally many ratings of this item, side by side."""
    by_person: dict[str, list[float]] = defaultdict(list)
    for row in group:
        by_person[row.reviewer].append(row.human)
    found: list[tuple[float, float]] = []
    for one, other in combinations(by_person.values(), 2):
        if len(one) == len(other):
            found += zip(one, other, strict=True)
    return found


def _equivalence(humans: Floats, judged: Floats, margin: float) -> float | None:
    from scipy import stats

    if len(humans) < 3 or len(judged) < 3:
        return None
    above = stats.ttest_ind(judged - margin, humans, equal_var=False, alternative="less")
    below = stats.ttest_ind(judged + margin, humans, equal_var=False, alternative="greater")
    return float(max(above.pvalue, below.pvalue))


def _mean(rows: Floats) -> float:
    return float(rows.mean())


def _spearman(rows: Floats) -> float:
    from scipy import stats

    if np.ptp(rows[:, 0]) == 0 or np.ptp(rows[:, 1]) == 0:
        return float("nan")
    return float(stats.spearmanr(rows[:, 0], rows[:, 1]).statistic)


def _interval(rows: Floats, of: Callable[[Floats], float]) -> Interval:
    """Percentile bootstrap over rows. The same data give the same interval."""
    value = of(rows) if len(rows) else float("nan")
    if np.isnan(value):
        return Interval(None)
    if len(rows) < 3:
        return Interval(value)
    rng = np.random.default_rng(0)
    drawn = [of(rows[rng.integers(0, len(rows), len(rows))]) for _ in range(RESAMPLES)]
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return Interval(value, float(low), float(high))
