"""Claims: an offline proposal is quick beside the evaluation it leads to, and its growth with the run has a bound.

Measured in CPU time on the largest baseline of fml-mini: a proposal costs at most 20 ms at the median, and at most
8 times as much after 1,000 steps as after 10, when everything near was tried and all of it is remembered.
"""

import random
import statistics
import sys
import time

from assay.proposers.base import View
from assay.proposers.offline import OfflineProposer
from assay.strategies.request import Request, Step
from assay.tasks.load import Task
from assay.tasks.outcome import Outcome
from assay.tasks.suites import select_tasks

MEDIAN_MS = 20.0
GROWTH = 8.0
EARLY, LATE, WINDOW = 10, 1000, 40


def run(task: Task) -> list[float]:
    """CPU seconds of each proposal of a greedy run whose outcomes are drawn by lot."""
    rng = random.Random(0)
    steps = [Step(index=0, request=None, candidate=task.baseline, outcome=Outcome(kind="ok", value=0.0))]
    proposer, incumbent, seconds = OfflineProposer(), steps[0], []
    for index in range(1, LATE + WINDOW):
        request = Request(kind="improve", parents=(incumbent.index,))
        began = time.process_time()
        proposal = proposer.propose(request, View(task, steps, 0, index))
        seconds.append(time.process_time() - began)
        outcome = proposal.failure or Outcome(kind="ok", value=rng.random())
        candidate = proposal.candidate or incumbent.candidate
        step = Step(
            index=index, request=request, candidate=candidate, description=proposal.description, outcome=outcome
        )
        steps.append(step)
        if index < EARLY and step.ok:  # later on a run seldom finds a better incumbent
            incumbent = step
    return seconds


def main() -> None:
    task = max(select_tasks("fml-mini"), key=lambda t: len(t.baseline.code))
    seconds = run(task)
    median = 1000 * statistics.median(seconds)
    early, late = (statistics.median(seconds[start : start + WINDOW]) for start in (EARLY, LATE - 1))
    print(f"{task.id}: {median:.1f} ms a proposal at the median; {late / early:.2f} times as much after {LATE} steps")
    if median > MEDIAN_MS:
        sys.exit(f"more than {MEDIAN_MS:g} ms")
    if late / early > GROWTH:
        sys.exit(f"more than {GROWTH:g} times")


if __name__ == "__main__":
    main()
