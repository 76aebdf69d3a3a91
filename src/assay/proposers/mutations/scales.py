"""On which scale a number moves, judged from its name and value, and how far."""

import math
import random
import re
from collections.abc import Sequence
from typing import Literal

from assay.proposers.mutations.site import ARROW, Trial, vocabulary

Scale = Literal["rate", "fraction", "count"]

RATES = vocabulary(
    "alpha bandwidth c clip damping decay delta eps epsilon eta gamma importance init l1 l2 lam lambda lambd learning "
    "lr noise norm penalty power rate reg regularisation regularization ridge scale sd shrink shrinkage sigma "
    "smoothing std strength temperature tol tolerance weight"
)
FRACTIONS = vocabulary(
    "beta beta1 beta2 confidence cut cutoff dropout ema fraction keep level margin mix mixup momentum p percent prob "
    "probability proportion q quantile ratio rho share smooth split subsample tail threshold trim"
)
SIGNED = vocabulary("bias offset shift")
"""Words of names whose number may well be negative."""
FIXED = vocabulary("axis channel channels class classes label labels seed seeds version")
"""Words of names whose number says what the data is or which draw is made: moving it breaks things or games them."""

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def words(name: str) -> tuple[str, ...]:
    """`LEARNING_RATE`, `learningRate` and `learning_rate` alike: learning, rate."""
    parts = [part for chunk in name.split("_") for part in _WORD.findall(chunk)]
    return (*(part.lower() for part in parts), name.lower())


def scale_of(name: str, value: float, whole: bool) -> Scale:
    known = set(words(name))
    if whole:
        return "rate" if known & RATES and value <= 1 else "count"
    if 0 < value < 1 and (known & FRACTIONS or (value >= 0.5 and not known & {"c", "lr", "rate", "scale"})):
        return "fraction"
    if value in (0, 1) and known & FRACTIONS:
        return "fraction"
    return "rate"


def moved(value: float, name: str, whole: bool, trials: Sequence[Trial], rng: random.Random) -> float | int:
    """Another value for a number: in the direction that did well before, boldly at first and finely later."""
    if value < 0:
        return -moved(-value, name, whole, [_mirrored(t) for t in trials], rng)
    scale = scale_of(name, value, whole)
    signed = bool(SIGNED & set(words(name)))
    up = rng.random() < _chance_up(trials)
    size = _size(trials, rng)
    if scale == "count":
        return _softened(value, _count(int(value), up, size, rng), trials, whole, rng)
    if scale == "fraction":
        return _softened(value, _fraction(value, up, size, rng), trials, whole, rng)
    after = _rate(value, up, size, rng)
    if signed and (not up if value == 0 else rng.random() < 0.15):
        after = -after
    after = _softened(value, after, trials, False, rng)
    return round(after) if whole and after >= 2 else after


def _mirrored(trial: Trial) -> Trial:
    """The same trial seen from the other side of zero."""
    ends = _ends(trial)
    return trial if ends is None else Trial(f"{-ends[0]}{ARROW}{-ends[1]}", trial.verdict)


def _softened(value: float, after: float, trials: Sequence[Trial], whole: bool, rng: random.Random) -> float | int:
    """A value short of those that failed outright on the same side."""
    failed = [ends[1] for t in trials if t.verdict == "failed" and (ends := _ends(t)) is not None]
    if after > value:
        limit = min([f for f in failed if f > value], default=math.inf)
        too_far = after >= limit
    else:
        limit = max([f for f in failed if f < value], default=-math.inf)
        too_far = after <= limit
    if not too_far:
        return after
    if whole:
        return round((value + limit) / 2)
    between = (
        math.sqrt(value * limit) if value * limit > 0 else value + rng.choice((0.05, 0.1, 0.3, 0.5)) * (limit - value)
    )
    return tidy(between)


def _chance_up(trials: Sequence[Trial]) -> float:
    """Probability of an upward step: even at first, near certain once one direction has won and the other lost."""
    worth = {"better": 1.0, "same": -0.3, "worse": -0.7, "failed": -1.0}
    balance = sum(_direction(t) * worth[t.verdict] for t in trials)
    return 1 / (1 + math.exp(-1.6 * max(-2.0, min(2.0, balance))))


def _direction(trial: Trial) -> int:
    ends = _ends(trial)
    return 0 if ends is None else (ends[1] > ends[0]) - (ends[1] < ends[0])


def _ends(trial: Trial) -> tuple[float, float] | None:
    """The values before and after, where the change was one of a number."""
    before, _, after = trial.change.rpartition(ARROW)
    try:
        return float(before), float(after)
    except ValueError:
        return None


def _size(trials: Sequence[Trial], rng: random.Random) -> float:
    """A factor on the step: 1 is about a tripling. Directions that were both bad call for small steps."""
    if trials and trials[-1].verdict == "better":
        return rng.choice((0.5, 1.0, 1.7))
    bad = {_direction(t) for t in trials if t.verdict in ("worse", "failed")}
    if {1, -1} <= bad:
        return rng.choice((0.2, 0.35))
    return rng.choice((0.4, 0.7, 1.0, 1.0, 1.7, 2.2))


def _rate(value: float, up: bool, size: float, rng: random.Random) -> float:
    if value == 0:
        # what is switched off has no scale of its own: most often it is near one, now and then far away
        return rng.choice((1e-3, 1e-2, 0.03, 0.1, 0.1, 0.2, 0.3, 0.5, 1.0, 1.0, 3.0, 10.0, 100.0))
    return tidy(value * 10 ** (0.5 * size * (1 if up else -1)))


def _fraction(value: float, up: bool, size: float, rng: random.Random) -> float:
    if not 0 < value < 1:
        near = rng.choice((0.05, 0.1, 0.2, 0.3, 0.5))
        return near if value <= 0 else 1 - near
    logit = math.log(value / (1 - value)) + size * (1 if up else -1)
    odds = 1 / (1 + math.exp(-logit))
    return tidy(odds) if odds < 0.5 else round(1 - tidy(1 - odds), 6)


def _count(value: int, up: bool, size: float, rng: random.Random) -> int:
    if value <= 0:
        return value + rng.choice((1, 2, 4))
    if value <= 4:
        return max(1, value + rng.choice((1, 2, 4) if up else (-1, -1, -2)))
    near = rng.random() < 0.2
    step = max(1, round(value * 0.1)) if near else max(1, round(abs(value * (2 ** (0.9 * size) - 1))))
    if up:
        return _round_count(value + step)
    return _round_count(max(1, value - step) if near else max(1, round(value / 2 ** (0.9 * size))))


def _round_count(value: int) -> int:
    return value if value < 100 else int(float(f"{value:.2g}"))


def tidy(value: float) -> float:
    """Two significant digits: as exact as anyone would write a setting."""
    return float(f"{value:.2g}")


def written(value: float | int) -> str:
    """The value as Python would read it back; always a plain literal."""
    return repr(value)
