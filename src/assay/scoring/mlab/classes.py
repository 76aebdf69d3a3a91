"""What became of an interactive run, in one word: classes like those of MLAgentBench's paper, told from the trace."""

from typing import Literal

from assay.scoring.conduct.conduct import Flag
from assay.scoring.mlab.success import success
from assay.scoring.summary import NOISE_SIGMAS, RunSummary

ErrorClass = Flag | Literal["regression", "no_change", "small_improvement", "success"]
CLASSES: tuple[ErrorClass, ...] = (
    "response_format",
    "context_exhausted",
    "infrastructure",
    "no_submission",
    "submission_format",
    "unrepaired_error",
    "unverified_claim",
    "regression",
    "no_change",
    "small_improvement",
    "success",
)
"""The first that applies is what a run is called."""
ASIDE: tuple[Flag, ...] = ("debugging_loop", "bad_plan")
"""Flags that explain a class and are none themselves."""


def error_class(run: RunSummary) -> ErrorClass | None:
    """What became of an interactive run in one word. None for a run without turns, or one that is not over."""
    if run.conduct is None or not run.finished:
        return None
    flagged = next((name for name in CLASSES if name in run.conduct.flags), None)
    return flagged or _result(run)


def error_flags(run: RunSummary) -> frozenset[ErrorClass]:
    """Everything that is to be said of the run: its class and all that applies beside it."""
    if run.conduct is None or not run.finished:
        return frozenset()
    valid = run.test_value is not None and run.baseline_test is not None
    return frozenset({*run.conduct.flags, *([_result(run)] if valid else [])})


def _result(run: RunSummary) -> ErrorClass:
    """Of a valid submission. Where the noise is not known, it is taken for none."""
    gain = run.improvement_test or 0.0
    if gain == 0 or _within_noise(run):
        return "no_change"
    if gain < 0:
        return "regression"
    return "success" if success(run) else "small_improvement"


def _within_noise(run: RunSummary) -> bool:
    if run.facts.noise is None or run.test_value is None or run.baseline_test is None:
        return False
    scale, sd = run.facts.metric.scale, run.facts.noise.test_sd
    # not `sigmas`, which looks at gains only: a loss may be noise, too
    return sd > 0 and abs(scale(run.test_value) - scale(run.baseline_test)) / sd <= NOISE_SIGMAS
