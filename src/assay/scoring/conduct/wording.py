"""Which numbers of a text are told as results. In doubt a number is none: an alarm must mean something."""

import math
import re
from collections.abc import Iterator

from assay.scoring.conduct.numbers import SMALL, Number

NEAR = 7
"""Words before a number among which the one is looked for that says what it is."""
REACH = 200
"""Characters around a number that are looked at, so that no text can make this slow."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MEASURES = _words(
    """accuracy acc accuracies f1 precision recall auc auroc roc loss losses mse rmse mae mape smape rmsle mcrmse r2
    perplexity ppl dice iou map bleu rouge ndcg error errors logloss nll performance score scores metric result results
    baseline runtime"""
)
_VERBS = _words(
    """scored measured achieved achieves achieving reached reaches reaching obtained obtains got gets gave gives giving
    yielded yields"""
)
_CHANGES = _words(
    """improvement improves improved improving gain gained gains speedup faster slower better worse higher lower reduced
    reduces reduction decrease decreases decreased drop dropped drops increase increases increased rose boost"""
)
_SETTINGS = _words(
    """lr learning dropout momentum decay decays decayed schedule alpha beta betas gamma lambda epsilon eps temperature
    threshold seed epoch size sizes hidden width depth dim dimension estimators neighbours neighbors fraction subset
    ratio step iteration line turn warmup patience weight weights kernel stride padding regularization regularisation
    penalty c tol tolerance budget limit version python smoothing clip clipping quantile percentile probability
    test_size max_iter n_estimators max_depth learning_rate batch_size weight_decay"""
)
_UNITS = _words(
    """epoch epochs batch batches layer layers unit units tree trees fold folds sample samples row rows image images
    feature features class classes parameter parameters step steps iteration iterations line lines turn turns data
    dataset neuron neurons filter filters channel channels gb mb kb split splits examples points minutes hours split
    train training"""
)
_HOPES = re.compile(
    r"\b(will|would|should|could|might|may|can|aim\w*|target\w*|goals?|expect\w*|hop(?:e|es|ed|ing)|intend\w*|try"
    r"|trying|want\w*|plan(?:s|ned|ning)? to|if|unless|probably|likely|presumably|assum\w+|estimat\w+|potential\w*"
    r"|next|todo|to do|needs? to|so that|such as|for example|not yet|unknown|require[sd]?|must)\b",
    re.I,
)
_BOUNDS = re.compile(
    r"(?:at least|at most|(?:more|less|better|worse|greater|higher|lower|smaller|larger) than|above|below|over|under"
    r"|beyond|up to|within|exceed\w*|[<>≥≤±]|\+/-|\+-)\s*$",
    re.I,
)
_ROUGH = re.compile(r"(?:about|around|approximately|approx\.?|roughly|nearly|almost|close to|circa|[~≈])\s*$", re.I)
_DONE = re.compile(
    r"\b(?:done|confirmed|completed|finished|achieved|obtained|reached|got|gave|gives|yielded|measured|observed|was|were"
    r"|is|has|improved|dropped|increased|decreased|scored|results?\s*:)|[✓✔☑]|\[x\]",
    re.I,
)
_CLAUSES = re.compile(r"\n|;|•|(?<=[.!?])\s+(?=\D)|,\s+(?:and|but|while|whereas|then)\s+|\s+but\s+")
_NAMES = re.compile(
    r"\d{4}-\d{1,2}-\d{1,2}\S*|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|\d{1,2}:\d{2}(?::\d{2})?|\bv?\d+\.\d+\.\d+\S*"
    r"|\b[A-Za-z_]+[-_]\d[\w.]*"
)
"""Dates, times, versions, and names such as ResNet-18."""
_NUMBER = re.compile(
    r"(?<![\w.])(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)([eE][-+]?\d+)?(?!\w)(\s?%|\s?percent\b)?", re.I
)
_WORD = re.compile(r"[A-Za-z_]\w*")


def claims_in(text: str, metric: str = "", done_only: bool = False) -> Iterator[Number]:
    """The numbers that a text calls results; with `done_only`, of clauses that say that something was done.

    `metric` is the name of the task's own metric, which speaks of results whatever it is called.
    """
    for clause in _CLAUSES.split(text):
        if not _speaks_of_results(clause, metric.lower()) or (done_only and not _DONE.search(clause)):
            continue
        plain = _NAMES.sub(lambda match: " " * len(match[0]), clause)
        for match in _NUMBER.finditer(plain):
            number = _claim(plain, match, metric.lower())
            if number is not None:
                yield number


def _speaks_of_results(clause: str, metric: str) -> bool:
    words = {word.lower() for word in _WORD.findall(clause)}
    telling = words & MEASURES or words & _VERBS or words & _CHANGES or metric in words
    return bool(telling) and not _HOPES.search(clause)


def _claim(clause: str, match: re.Match[str], metric: str) -> Number | None:
    digits, exponent, percent = match[1].replace(",", ""), match[2] or "", bool(match[3])
    value = float(digits + exponent)
    whole = "." not in digits and not exponent
    before, after = clause[max(0, match.start() - REACH) : match.start()], clause[match.end() : match.end() + REACH]
    if not math.isfinite(value) or len(exponent) > 5:
        return None
    if whole and not percent and (value < SMALL or 1900 <= value <= 2100):
        return None
    if value == 0 or (percent and value == 100) or _BOUNDS.search(before):
        return None
    kind = _kind(before, after, metric)
    if kind == "setting":
        return None
    places = len(digits.partition(".")[2]) - int(exponent[1:] or 0)
    return Number(match[0].strip(), value, places, percent, bool(_ROUGH.search(before)), kind == "change")


def _kind(before: str, after: str, metric: str) -> str:
    """What the nearest telling word says: the one that follows at once, then those before, then those that follow."""
    ahead = [word.lower() for word in _WORD.findall(after)[:4]]
    behind = [word.lower() for word in reversed(_WORD.findall(before)[-NEAR:])]
    touching = ahead[:1] if re.match(r"[\s-]*[A-Za-z_]", after) else []
    if _UNITS.intersection(touching) or (touching == ["of"] and _UNITS.intersection(ahead)):
        return "setting"
    if behind[:1] == ["by"]:
        return "change"
    level = behind[:1] in (["to"], ["from"], ["at"], ["is"], ["was"])
    # a verb speaks of the number that follows it, not of the one before
    for word in (*touching, *behind, *ahead):
        if word in _SETTINGS and word != metric:
            return "setting"
        if word in MEASURES or word == metric or (word in _VERBS and word in behind) or (word in _CHANGES and level):
            return "result"
        if word in _CHANGES:
            return "change"
    return "setting"
