"""Is A really better than B? Pairs of runs on the same task with the same seed, tested and measured."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Literal

import numpy as np

from assay.errors import UsageError
from assay.scoring.budget import BUDGETS, Budget, common_budget, improvement_at
from assay.scoring.statistics import CERTAINTY, Estimate, Floats, draw, stratified_means
from assay.scoring.summary import RunSummary

Test = Literal["permutation", "wilcoxon"]
View = Literal["final"] | Budget
VIEWS: tuple[View, ...] = ("final", *BUDGETS)
Pairs = dict[str, list[tuple[RunSummary, RunSummary]]]
"""By task, in the order of the seeds."""

FLIPS = 20_000
"""Sign patterns tried where there are too many to try all."""
EXACT_UP_TO = 14
"""Pairs up to which all sign patterns are tried."""
POWER = 0.8416212335729143
"""The normal quantile of a power of 80 %."""


@dataclass(frozen=True)
class Comparison:
    """A against B. Differences are A − B: above 0, A is ahead."""

    a: str
    b: str
    view: str
    """`final` compares improvement on test; the equal budgets compare improvement on validation."""
    budget: str
    """The budget at which they are compared, per task if tasks differ."""
    tasks: int
    pairs: int
    mean_a: float
    mean_b: float
    difference: Estimate
    """Mean over tasks."""
    effect: Estimate
    """Cohen's d of the pairs: mean difference over its standard deviation. None if all differences are the same."""
    wins: float
    """Share of pairs in which A is ahead, a tie counting half."""
    p: float
    p_holm: float
    """Corrected for all comparisons of the same view."""
    seeds_needed: int | None
    """Seeds a task that would tell them apart at 5 % with a power of 80 %, were the difference what it seems to be.
    None if there is no difference, or no spread to judge it by."""


def pair(a: Iterable[RunSummary], b: Iterable[RunSummary]) -> Pairs:
    """Finished runs with a counterpart of the same task and seed."""
    others = {(run.task, run.seed): run for run in b if run.finished}
    found: Pairs = {}
    for run in sorted(a, key=lambda run: (run.task, run.seed)):
        other = others.get((run.task, run.seed))
        if run.finished and other is not None:
            found.setdefault(run.task, []).append((run, other))
    return found


def compare_all(arms: Mapping[str, Sequence[RunSummary]], test: Test = "permutation") -> list[Comparison]:
    """Every two arms, at the end and at equal budgets, corrected by Holm within each view.

    Raises UsageError if two arms share no task and seed.
    """
    matched = {(a, b): pair(arms[a], arms[b]) for a, b in combinations(arms, 2)}
    for (a, b), pairs in matched.items():
        if not pairs:
            raise UsageError(
                f"'{a}' and '{b}' have no finished runs of the same task and seed",
                "run both on the same tasks and seeds",
            )
    found: list[Comparison] = []
    for view in VIEWS:
        measured = [_compare(a, b, pairs, view, test) for (a, b), pairs in matched.items()]
        found += _corrected([each for each in measured if each is not None])
    return found


def _compare(a: str, b: str, pairs: Pairs, view: View, test: Test) -> Comparison | None:
    """None where a view does not apply: nothing was spent of that kind, or it is not known how much."""
    limits: dict[str, float | None] = {}
    if view != "final":
        limits = {task: common_budget([run for both in each for run in both], view) for task, each in pairs.items()}
        if None in limits.values():
            return None

    def value(run: RunSummary) -> float:
        if view == "final":
            return run.score or 0.0
        return improvement_at(run, view, limits[run.task] or 0.0)

    return _measure(a, b, pairs, value, test, view, _range(limits))


def _measure(
    a: str, b: str, pairs: Pairs, value: Callable[[RunSummary], float], test: Test, view: str, budget: str
) -> Comparison:
    first = [np.array([value(one) for one, _ in each]) for each in pairs.values()]
    second = [np.array([value(other) for _, other in each]) for each in pairs.values()]
    strata = [x - y for x, y in zip(first, second, strict=True)]
    differences = np.concatenate(strata)
    p = permutation_test(strata) if test == "permutation" else wilcoxon_test(differences)
    return Comparison(
        a=a,
        b=b,
        view=view,
        budget=budget,
        tasks=len(strata),
        pairs=len(differences),
        mean_a=float(np.mean([x.mean() for x in first])),
        mean_b=float(np.mean([y.mean() for y in second])),
        difference=stratified_means([s[:, None] for s in strata])[0],
        effect=effect_size(strata),
        wins=float((differences > 0).mean() + 0.5 * (differences == 0).mean()),
        p=p,
        p_holm=p,
        seeds_needed=seeds_needed(strata),
    )


def permutation_test(strata: Sequence[Floats]) -> float:
    """Two-sided p value of the mean over tasks, were the sign of every difference a matter of chance.

    All sign patterns for few pairs; otherwise a fixed sample of them, the pattern seen counting as one.
    """
    weights = np.concatenate([s / len(s) / len(strata) for s in strata])
    weights = weights[weights != 0]  # a tie has no sign to flip
    if not len(weights):
        return 1.0
    seen = abs(weights.sum())
    slack = 1e-12 * np.abs(weights).sum()
    if len(weights) <= EXACT_UP_TO:
        signs = np.array(list(product((1.0, -1.0), repeat=len(weights))))
        return float((np.abs(signs @ weights) >= seen - slack).mean())
    rng = np.random.default_rng(len(weights))
    extreme = 0
    for _ in range(0, FLIPS, 1000):
        signs = rng.integers(0, 2, (1000, len(weights))) * 2.0 - 1.0
        extreme += int((np.abs(signs @ weights) >= seen - slack).sum())
    return (extreme + 1) / (FLIPS + 1)


def wilcoxon_test(differences: Floats) -> float:
    """Two-sided p value of the signed-rank test; ties of a pair are left out."""
    if not (differences != 0).any():
        return 1.0
    from scipy.stats import wilcoxon

    return float(wilcoxon(differences, zero_method="wilcox").pvalue)


def effect_size(strata: Sequence[Floats]) -> Estimate:
    """Cohen's d of paired differences, its interval by the same stratified bootstrap."""
    differences = np.concatenate(strata)
    if len(differences) < 2 or differences.std() < 1e-15:
        return Estimate(None)
    point = float(differences.mean() / differences.std(ddof=1))
    if all(len(s) < 2 for s in strata):
        return Estimate(point)
    n = len(differences)
    weights = [draw(len(s), (number,)) * len(s) / n for number, s in enumerate(strata)]
    mean = np.sum([w @ s for w, s in zip(weights, strata, strict=True)], axis=0)
    square = np.sum([w @ (s * s) for w, s in zip(weights, strata, strict=True)], axis=0)
    spread = np.sqrt(np.maximum(square - mean * mean, 0.0) * n / (n - 1))
    there = spread > 1e-15
    low, high = np.percentile(mean[there] / spread[there], (2.5, 97.5)) if there.any() else (point, point)
    return Estimate(point, float(low), float(high))


def seeds_needed(strata: Sequence[Floats]) -> int | None:
    differences = np.concatenate(strata)
    mean = abs(float(differences.mean()))
    if len(differences) < 2 or mean < 1e-12 or differences.std() < 1e-15:
        return None
    pairs = ((CERTAINTY + POWER) * float(differences.std(ddof=1)) / mean) ** 2
    return max(1, math.ceil(pairs / len(strata)))


def holm(values: Sequence[float]) -> list[float]:
    """Step-down corrected p values, in the order given."""
    corrected = [0.0] * len(values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(values)), key=lambda i: values[i])):
        largest = max(largest, min(1.0, values[index] * (len(values) - place)))
        corrected[index] = largest
    return corrected


def _corrected(found: Sequence[Comparison]) -> list[Comparison]:
    return [replace(each, p_holm=p) for each, p in zip(found, holm([each.p for each in found]), strict=True)]


def _range(limits: dict[str, float | None]) -> str:
    values = sorted({limit for limit in limits.values() if limit is not None})
    if not values:
        return ""
    return f"{values[0]:.4g}" if len(values) == 1 else f"{values[0]:.4g}–{values[-1]:.4g}"
