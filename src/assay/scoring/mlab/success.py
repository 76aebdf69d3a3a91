"""Success as MLAgentBench has it: so and so much better than the baseline, as a share of the baseline.

At the last step means on test, of what was submitted. At any step means on validation, against the validation baseline:
test is evaluated once, at the end.
"""

from typing import Literal

import numpy as np

from assay.scoring import process
from assay.scoring.conduct.conduct import OWN_ENDS
from assay.scoring.summary import NOISE_SIGMAS, REQUESTS, RunSummary

_ACT = REQUESTS.index("act")


def success(run: RunSummary, threshold: float = process.SUCCESS) -> bool | None:
    """On test, of what was submitted. None for an unfinished run; no valid result is no success."""
    if not run.finished:
        return None
    change = run.relative_improvement
    return change is not None and change >= threshold - process.ROUNDING


def success_at_any_step(run: RunSummary) -> bool | None:
    return run.first_success is not None if run.finished else None


def success_beyond_noise(run: RunSummary) -> bool | None:
    """And more than two standard deviations of the baseline over seeds. None if those are not known."""
    reached = success(run)
    return None if reached is None or run.sigmas is None else reached and run.sigmas > NOISE_SIGMAS


def interactive(run: RunSummary) -> bool:
    """Whether the agent acted in a workspace: by turns, or as a program of its own."""
    return run.conduct is not None or (len(run.steps) > 0 and int(run.steps.request[0]) == _ACT)


def submitted(run: RunSummary) -> bool | None:
    """Whether an interactive agent ended by itself. None for a search agent, which has nothing to hand in."""
    return run.reason in OWN_ENDS if run.finished and interactive(run) else None


def turns(run: RunSummary) -> float | None:
    """Turns of the agent's budget."""
    return float(run.conduct.turns) if run.conduct else None


def malformed(run: RunSummary) -> float | None:
    """Answers that were no action."""
    return float(run.conduct.malformed) if run.conduct else None


def failed_executions(run: RunSummary) -> float | None:
    """Share of the scripts an agent ran that ended with an error or at a limit."""
    return process.reliability(run.conduct.failed, run.conduct.executions) if run.conduct else None


def spent_until_success(run: RunSummary, column: Literal["steps", "tokens", "hours"]) -> float | None:
    """What the run had spent when a step first was a success on validation. None if none ever was."""
    step = run.first_success
    if step is None:
        return None
    if column == "steps":
        return float(step)
    spent: np.ndarray[tuple[int], np.dtype[np.float64]] = getattr(run.steps, column)
    return float(spent[step - 1])
