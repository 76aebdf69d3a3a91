"""Tasks that ask for speed: the candidate and the starter take turns, and the clock is the sandbox's."""

from collections.abc import Callable
from typing import Any

import numpy as np

from assay.tasks.grader import Grade, Perform
from assay.tasks.payload import Payload, encode

TURNS = 3
RESOLUTION = 0.001
"""CPU seconds below which times of processes differ by chance."""
Check = Callable[[Payload, Payload], None]
"""What the candidate left and what the starter left. Raises InvalidOutput if the first is no right answer."""


def take_turns(perform: Perform, inputs: Payload, check: Check) -> dict[str, Any]:
    """CPU seconds of each process of the starter and of the candidate, on the same inputs. Every answer is checked."""
    data = encode(inputs)
    seconds: dict[str, list[float]] = {"starter": [], "candidate": []}
    for _ in range(TURNS):
        right = perform(data, starter=True)
        seconds["starter"].append(perform.clock.cpu_seconds)
        told = perform(data)
        seconds["candidate"].append(perform.clock.cpu_seconds)
        check(told, right)
    return seconds


def time_ratio(outputs: Payload) -> Grade:
    """The candidate's time by the starter's, start of the process and reading of files included; median over turns."""
    candidate, starter = (np.maximum(outputs[who], RESOLUTION) for who in ("candidate", "starter"))
    ratios = candidate / starter
    ratio = float(np.median(ratios))
    error = float(np.std(ratios, ddof=1) / np.sqrt(len(ratios)))
    return Grade({"time_ratio": ratio, "log10_speedup": -float(np.log10(ratio))}, {"time_ratio": error})
