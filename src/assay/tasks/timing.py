"""How fast a candidate is beside the starter, for graders whose metric is a time (`timed` in task.toml).

Times are CPU seconds of whole processes, taken by the sandbox from outside. They hold if `perform.py` forbids further
processes before it loads the candidate, since a child's CPU time is lost where its parent ignores its end:
`resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.tasks.grader import Perform
from assay.tasks.payload import Payload

RESOLUTION = 0.001
"""CPU seconds below which times of processes differ by chance; nothing counts as faster than this."""


@dataclass(frozen=True)
class Round:
    """One piece of work, done by the candidate and by the starter one after the other."""

    answers: dict[str, Any]
    """What the candidate gave back."""
    ratio: float
    """The candidate's CPU time as a share of the starter's, each without what an idle process takes."""


def beside_starter(perform: Perform, inputs: Payload) -> Round:
    """Three processes: the candidate, one that is told by the input `idle` to call nothing, and the starter.

    The candidate's comes first, as in every other evaluation. Raises what `perform` raises.
    """
    answers = perform({**inputs, "idle": False})
    candidate = perform.clock.cpu_seconds
    perform({**inputs, "idle": True}, starter=True)
    idle = perform.clock.cpu_seconds
    perform({**inputs, "idle": False}, starter=True)
    starter = perform.clock.cpu_seconds
    return Round(answers, max(candidate - idle, RESOLUTION) / max(starter - idle, RESOLUTION))


def speed(ratios: Sequence[float]) -> tuple[dict[str, float], dict[str, float]]:
    """Metrics and standard errors: the median `time_ratio`, which no single round moves, and its logarithm."""
    ratio = float(np.median(ratios))
    spread = float(np.std(ratios, ddof=1) / np.sqrt(len(ratios)))
    return {"time_ratio": ratio, "log10_speedup": -float(np.log10(ratio))}, {"time_ratio": spread}
