"""Claims: the harness costs at most 10 ms a step, flat from step 10 to step 1,000; a run's memory is flat in steps.

Overhead is the wall clock of a step less the candidate's own work, which is its CPU time. What is left is strategy,
journal, sandbox and grading; the proposer here does next to nothing. The machine must be otherwise idle: these are
wall clocks. Memory is the harness's alone: with the real `offline` proposer, whose caches fill, it grew 1.38 times.
"""

import resource
import statistics
import sys
import tempfile
from pathlib import Path

from assay.proposers import offline
from assay.proposers.base import Proposal, View
from assay.runs.events import Proposed, Stepped
from assay.runs.record import read_run
from assay.runs.run import Sandboxes, carry_out
from assay.runs.session import Control, Progress
from assay.runs.spec import Caps, RunSpec
from assay.strategies.request import Request
from assay.tasks.candidate import Candidate
from assay.tasks.new import new_task

STEPS = 1000
LIMIT_MS = 10.0
GROWTH = 1.25


def remark(self: offline.OfflineProposer, request: Request, view: View) -> Proposal:
    """A candidate that is new and does the same: no step repeats another."""
    files = {path: f"{text}\n# {view.moment}\n" for path, text in view.task.baseline.files.items()}
    return Proposal(candidate=Candidate(files=files), description=f"remark {view.moment}")


def main() -> None:
    memory: dict[int, float] = {}

    def observe(progress: Progress) -> None:
        memory[progress.step] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024

    offline.OfflineProposer.propose = remark  # type: ignore[method-assign]
    with tempfile.TemporaryDirectory() as folder, Sandboxes() as sandboxes:
        root = Path(folder)
        new_task(root / "task", "bench/small")
        spec = RunSpec(agent="autoresearch", task=str(root / "task"), caps=Caps(steps=STEPS))
        carry_out(spec, root / "results", sandboxes, Control(observe))
        events = read_run(root / "results" / "runs" / spec.run_id).events
    proposed = [e for e in events if isinstance(e, Proposed)]
    stepped = [e for e in events if isinstance(e, Stepped)][1:]
    cost = [
        1000 * (p.clock.seconds + s.clock.seconds - s.clock.evaluation.cpu_seconds)
        for p, s in zip(proposed, stepped, strict=True)
        if s.clock.evaluation
    ]
    early, late = statistics.median(cost[10:110]), statistics.median(cost[-100:])
    print(f"overhead a step: {early:.1f} ms around step 60, {late:.1f} ms around step {STEPS - 50}")
    growth = memory[STEPS] / memory[10]
    print(f"memory: {memory[10]:.0f} MB at step 10, {memory[STEPS]:.0f} MB at step {STEPS}, ratio {growth:.2f}")
    if max(early, late) > LIMIT_MS or late > GROWTH * early or growth > GROWTH:
        sys.exit(f"more than {LIMIT_MS} ms a step, or not flat")


if __name__ == "__main__":
    main()
