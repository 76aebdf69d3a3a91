"""How far judges can be trusted: their agreement with each other, their spread, and whether they rank alike.

Reported with every use of judges. A judge that gives nearly everything the same score says nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from assay.judging.reviews import Review
from assay.judging.rubrics import HIGHEST, LOWEST, OVERALL

CEILING_SHARE = 0.6
"""A judge that gives one and the same score to more than this share of at least CEILING_ITEMS items is flagged."""
CEILING_ITEMS = 8


@dataclass(frozen=True)
class JudgeSpread:
    """One judge's overall scores."""

    judge: str
    items: int
    mean: float
    sd: float
    most_common: int
    share: float
    """Of items that got the most common score."""

    @property
    def flagged(self) -> bool:
        return self.items >= CEILING_ITEMS and self.share > CEILING_SHARE


@dataclass(frozen=True)
class PairAgreement:
    """Two judges on the overall scores of the items that both scored."""

    judges: tuple[str, str]
    items: int
    weighted_kappa: float | None
    """Quadratic weights. None if it is undefined, for example where both gave one score alone."""
    spearman: float | None
    mean_difference: float
    """First judge less the second."""
    equal: float
    within_one: float


@dataclass(frozen=True)
class Calibration:
    spreads: tuple[JudgeSpread, ...]
    pairs: tuple[PairAgreement, ...]
    alpha: float | None
    """Krippendorff's alpha over all judges, interval level. None with fewer than two judges."""
    unscored: int
    """Reviews that ended in a refusal or a failure."""


def calibrate(reviews: Iterable[Review]) -> Calibration:
    """From the overall scores of reviews; items are told apart by stage, item and producer."""
    scores: dict[str, dict[tuple[str, str, str], int]] = defaultdict(dict)
    unscored = 0
    for review in reviews:
        if review.status != "ok":
            unscored += 1
            continue
        scores[review.judge][review.stage, review.item, review.producer] = review.scores[OVERALL]
    spreads = tuple(_spread(judge, list(own.values())) for judge, own in sorted(scores.items()))
    pairs = []
    for one, other in combinations(sorted(scores), 2):
        shared = sorted(scores[one].keys() & scores[other].keys())
        if shared:
            pairs.append(_pair((one, other), [(scores[one][item], scores[other][item]) for item in shared]))
    units = defaultdict(list)
    for own in scores.values():
        for item, score in own.items():
            units[item].append(score)
    return Calibration(spreads, tuple(pairs), krippendorff_alpha(list(units.values())), unscored)


def _spread(judge: str, scores: Sequence[int]) -> JudgeSpread:
    score, count = Counter(scores).most_common(1)[0]
    return JudgeSpread(judge, len(scores), float(np.mean(scores)), float(np.std(scores)), score, count / len(scores))


def _pair(judges: tuple[str, str], scores: Sequence[tuple[int, int]]) -> PairAgreement:
    table = np.array(scores)
    difference = table[:, 0] - table[:, 1]
    return PairAgreement(
        judges,
        len(scores),
        weighted_kappa(table[:, 0].tolist(), table[:, 1].tolist()),
        _spearman(table),
        float(difference.mean()),
        float((difference == 0).mean()),
        float((abs(difference) <= 1).mean()),
    )


def weighted_kappa(one: Sequence[int], other: Sequence[int]) -> float | None:
    """Cohen's kappa with quadratic weights on the scale of scores; None where chance alone would agree perfectly."""
    size = HIGHEST - LOWEST + 1
    observed = np.zeros((size, size))
    for a, b in zip(one, other, strict=True):
        observed[a - LOWEST, b - LOWEST] += 1
    weights = (np.subtract.outer(np.arange(size), np.arange(size)) / (size - 1)) ** 2
    expected = np.outer(observed.sum(axis=1), observed.sum(axis=0)) / max(observed.sum(), 1)
    by_chance = float((weights * expected).sum())
    return 1.0 - float((weights * observed).sum()) / by_chance if by_chance else None


def krippendorff_alpha(units: Sequence[Sequence[float]]) -> float | None:
    """Interval level, any number of raters and gaps. None if no unit has two ratings or all ratings are the same."""
    rated = [np.array(unit, float) for unit in units if len(unit) > 1]
    if not rated:
        return None
    values = np.concatenate(rated)
    within = sum(float(((u[:, None] - u[None, :]) ** 2).sum()) / (len(u) - 1) for u in rated) / len(values)
    among = float(((values[:, None] - values[None, :]) ** 2).sum()) / (len(values) * (len(values) - 1))
    return 1.0 - within / among if among else None


def _spearman(table: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> float | None:
    from scipy import stats

    if len(table) < 3 or np.ptp(table[:, 0]) == 0 or np.ptp(table[:, 1]) == 0:
        return None
    return float(stats.spearmanr(table[:, 0], table[:, 1]).statistic)
