"""A process that carries out one run after another, told what to do by lines of JSON.

In:  {"run": RunSpec, "results": path, "replay": path or null} | {"stop": "sweep-usd"} | {"interrupt": true}
Out: a RunState for every step, and one with a final status for every run.
"""

import ctypes
import json
import os
import queue
import signal
import sys
import threading
import traceback
from pathlib import Path
from typing import Any, TextIO

from assay.engines.base import RunState
from assay.errors import AssayError
from assay.runs.run import Sandboxes, carry_out
from assay.runs.session import Control, Interrupted, Progress
from assay.runs.spec import RunSpec


class Orders:
    """What the engine wants. Read by a thread of its own, so that a stop is heard in the middle of a run."""

    def __init__(self, source: TextIO) -> None:
        self.runs: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.stop: str | None = None
        self.interrupt = False
        self._source = source
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        for line in self._source:
            order = json.loads(line)
            if "run" in order:
                self.runs.put(order)
            self.stop = order.get("stop", self.stop)
            self.interrupt = order.get("interrupt", self.interrupt)
        self.runs.put(None)


def main() -> None:
    _die_with_parent()
    # candidates and libraries print: nothing but states may reach the engine
    out = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    orders = Orders(sys.stdin)
    with Sandboxes() as sandboxes:
        while (order := orders.runs.get()) is not None:
            state = _one_run(order, orders, sandboxes, out)
            _tell(out, state)


def _one_run(order: dict[str, Any], orders: Orders, sandboxes: Sandboxes, out: TextIO) -> RunState:
    spec = RunSpec.model_validate(order["run"])
    last = RunState(run_id=spec.run_id, status="running")

    def observe(progress: Progress) -> None:
        nonlocal last
        last = RunState(
            run_id=spec.run_id,
            status="running",
            step=progress.step,
            baseline=progress.baseline,
            best=progress.best,
            usage=progress.spent.usage,
            seconds=progress.spent.seconds,
        )
        _tell(out, last)

    control = Control(observe, lambda: orders.interrupt, lambda: orders.stop)
    replay = Path(order["replay"]) if order.get("replay") else None
    try:
        finished = carry_out(spec, Path(order["results"]), sandboxes, control, replay)
    except Interrupted:
        return last.model_copy(update={"status": "interrupted"})
    except AssayError as error:
        return last.model_copy(update={"status": "failed", "reason": error.message, "hint": error.hint})
    except Exception as error:  # a defect of Assay ends one run and not the sweep
        traceback.print_exc()
        hint = "a defect of Assay: please report it with the traceback above"
        return last.model_copy(update={"status": "failed", "reason": f"internal error: {error!r}", "hint": hint})
    return last.model_copy(update={"status": "finished", "reason": finished.reason})


def _tell(out: TextIO, state: RunState) -> None:
    out.write(state.model_dump_json() + "\n")
    out.flush()


def _die_with_parent() -> None:
    """An engine that is killed takes its workers with it: at once on Linux, elsewhere when they read a closed pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the engine decides what a Ctrl-C means
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


if __name__ == "__main__":
    main()
