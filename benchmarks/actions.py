"""Claim: the harness costs at most 10 ms an action, flat from action 50 to action 950 of one run.

The actions are those whose own work is next to nothing: a listing, and a short file that is written. What a turn takes
is therefore the harness's: the agent's desk, dispatch, contents and journal with their way to the disk. The machine
must be otherwise idle: these are wall clocks.
"""

import statistics
import sys
import tempfile
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

TURNS = 1000
EARLY, LATE = slice(50, 150), slice(850, 950)
LIMIT_MS = 10.0
GROWTH = 1.25


class Busy(InteractiveAgent):
    """Lists the folder and writes a note, in turns."""

    name = "busy"
    summary = "for the benchmark"
    proposer = "none"

    def decide(self, desk: Desk, history: Sequence[Turn]) -> Decision:
        number = len(history)
        if number == TURNS:
            return Decision(FINAL, {"final_answer": "done"})
        if number % 2:
            return Decision("Write File", {"file_name": f"notes/{number % 50}.txt", "content": f"note {number}\n"})
        return Decision("List Files", {"dir_path": "notes" if number else "."})


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
    turns = [event for event in events if isinstance(event, Acted)][:TURNS]
    slow = False
    for name in ("List Files", "Write File"):
        early, late = (
            statistics.median(1000 * turn.clock.seconds for turn in turns[part] if turn.action == name)
            for part in (EARLY, LATE)
        )
        print(f"{name}: {early:.2f} ms around turn 100, {late:.2f} ms around turn 900, ratio {late / early:.2f}")
        slow |= max(early, late) > LIMIT_MS or late > GROWTH * early
    if slow:
        sys.exit(f"more than {LIMIT_MS} ms an action, or not flat")


if __name__ == "__main__":
    main()
