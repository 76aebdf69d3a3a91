"""Claims: the harness costs at most 10 ms a step, flat from step 10 to step 1,000; a run's memory is flat in steps.

Overhead is the wall clock of a step less the proposer's and less the candidate's own work (its CPU time). What is left
is strategy, journal, sandbox and grading. The machine must be otherwise idle: these are wall clocks.
"""

import resource
import statistics
import sys
import tempfile
import time
from pathlib import Path

from assay.proposers import offline
from assay.proposers.base import Proposal, View
from assay.runs.events import Proposed, Stepped
from assay.runs.record import read_run
from assay.runs.run import Sandboxes, carry_out
from assay.runs.session import Control, Progress
from assay.runs.spec import Caps, RunSpec
from assay.strategies.request import Request
from assay.tasks.new import new_task

STEPS = 1000
LIMIT_MS = 10.0
GROWTH = 1.25


def main() -> None:
    memory: dict[int, float] = {}
    proposing: list[float] = []
    propose = offline.OfflineProposer.propose

    def timed(self: offline.OfflineProposer, request: Request, view: View) -> Proposal:
        began = time.monotonic()
        proposal = propose(self, request, view)
        proposing.append(time.monotonic() - began)
        return proposal

    def observe(progress: Progress) -> None:
        memory[progress.step] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    offline.OfflineProposer.propose = timed  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as folder, Sandboxes() as sandboxes:
        root = Path(folder)
        new_task(root / "task", "bench/small")
        spec = RunSpec(agent="autoresearch", task=str(root / "task"), caps=Caps(steps=STEPS))
        carry_out(spec, root / "results", sandboxes, Control(observe))
        events = read_run(root / "results" / "runs" / spec.run_id).events
    proposed = [e for e in events if isinstance(e, Proposed)]
    stepped = [e for e in events if isinstance(e, Stepped)][1:]
    cost = [
        1000
        * (p.clock.seconds - spent + s.clock.seconds - (s.clock.evaluation.cpu_seconds if s.clock.evaluation else 0))
        for p, s, spent in zip(proposed, stepped, proposing, strict=True)
    ]
    early, late = statistics.median(cost[10:110]), statistics.median(cost[-100:])
    print(f"overhead a step: {early:.1f} ms around step 60, {late:.1f} ms around step {STEPS - 50}")
    growth = memory[STEPS] / memory[10]
    print(f"memory: {memory[10]:.0f} MB at step 10, {memory[STEPS]:.0f} MB at step {STEPS}, ratio {growth:.2f}")
    if late > LIMIT_MS or late > GROWTH * early or growth > GROWTH:
        sys.exit(f"more than {LIMIT_MS} ms a step, or not flat")


if __name__ == "__main__":
    main()
