"""Claim: the harness costs at most 10 ms an action, flat from action 50 to action 950 of one run.

The actions are those whose own work is next to nothing: a listing, and a short file that is written. What a turn takes
is therefore the harness's: the agent's desk, dispatch, contents and journal with their way to the disk, which a turn
goes once for its contents and once for its journal line. How long the disk takes for one way is printed beside. The
machine must be otherwise idle: these are wall clocks, and a disk that others use is slow for all.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from assay.environments.agents.base import Decision, Desk, InteractiveAgent, Turn
from assay.environments.environment import FINAL
from assay.runs.events import Acted
from assay.runs.record import read_run
from assay.runs.run import Sandboxes, carry_out
from assay.runs.session import Control
from assay.runs.spec import Caps, RunSpec
from assay.tasks.new import new_task

TURNS, SAMPLED = 1000, 10
EARLY, LATE = range(50, 150), range(850, 950)
LIMIT_MS = 10.0
GROWTH = 1.25


waits: list[float] = []
"""Milliseconds of the disk alone, one value a sample."""


class Busy(InteractiveAgent):
    """Lists the folder and writes a note, in turns; every tenth time it also looks how fast the disk is."""

    name = "busy"
    summary = "for the benchmark"
    proposer = "none"

    def decide(self, desk: Desk, history: Sequence[Turn]) -> Decision:
        number = len(history)
        if number % SAMPLED == 0:
            waits.append(_way_to_the_disk())
        if number == TURNS:
            return Decision(FINAL, {"final_answer": "done"})
        if number % 2:
            return Decision("Write File", {"file_name": f"notes/{number % 50}.txt", "content": f"note {number}\n"})
        return Decision("List Files", {"dir_path": "notes" if number else "."})


def _way_to_the_disk() -> float:
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x" * 500)
        file.flush()
        began = time.perf_counter()
        os.fsync(file.fileno())
        return 1000 * (time.perf_counter() - began)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, Sandboxes() as sandboxes:
        root = Path(folder)
        new_task(root / "task", "bench/small")
        spec = RunSpec(
            agent=f"{__name__}:Busy",
            params={"max_turns": TURNS + 1},
            task=str(root / "task"),
            caps=Caps(steps=1),
        )
        carry_out(spec, root / "results", sandboxes, Control())
        events = read_run(root / "results" / "runs" / spec.run_id).events
    turns = [event for event in events if isinstance(event, Acted) and event.turn % SAMPLED]
    print(f"one way to the disk: {statistics.median(waits):.2f} ms")
    slow = False
    for name in ("List Files", "Write File"):
        early, late = (
            statistics.median(1000 * turn.clock.seconds for turn in turns if turn.turn in part and turn.action == name)
            for part in (EARLY, LATE)
        )
        print(f"{name}: {early:.2f} ms around turn 100, {late:.2f} ms around turn 900, ratio {late / early:.2f}")
        slow |= max(early, late) > LIMIT_MS or late > GROWTH * early
    if slow:
        sys.exit(f"more than {LIMIT_MS} ms an action, or not flat")


if __name__ == "__main__":
    main()
