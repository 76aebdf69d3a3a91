"""The local engine: a pool of worker processes on this machine."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.engines.base import RunState, Sweep, Watch
from assay.models.usage import Usage
from assay.runs.budget import Spent, reached
from assay.runs.events import Called, Stepped
from assay.runs.paths import ResultPaths
from assay.runs.record import read_run
from assay.runs.spec import RunSpec

ATTEMPTS = 3
"""How often a run is handed out when the process that carried it out died. Its journal makes that safe."""


LOST = {"status": "failed", "reason": "its worker process died", "hint": "the same command continues the run"}


@dataclass
class LocalEngine:
    """`jobs` workers, each with a sandbox of its own. See Engine for the contract."""

    jobs: int = 1

    def carry_out(self, sweep: Sweep, watch: Watch) -> Sequence[RunState]:
        return _Pool(sweep, watch, min(self.jobs, max(1, len(sweep.specs)))).carry_out()


class _Pool:
    """One sweep on its workers. A thread a worker hands out runs; the calling thread waits and takes the interrupts."""

    def __init__(self, sweep: Sweep, watch: Watch, jobs: int) -> None:
        self._sweep = sweep
        self._watch = watch
        self._jobs = jobs
        self._waiting: queue.SimpleQueue[RunSpec] = queue.SimpleQueue()
        self._states: dict[str, RunState] = {}
        self._workers: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._interrupted = False
        self._stop: str | None = None

    def carry_out(self) -> list[RunState]:
        for spec in self._sweep.specs:
            state = recorded_state(ResultPaths(self._sweep.results), spec)
            self._note(state)
            if state.status != "finished":
                self._waiting.put(spec)
        threads = [threading.Thread(target=self._serve, daemon=True) for _ in range(self._jobs)]
        for thread in threads:
            thread.start()
        try:
            self._wait(threads)
        except KeyboardInterrupt:
            self._interrupt(threads)
        finally:
            for worker in list(self._workers):
                worker.kill()
        return [self._states[spec.run_id] for spec in self._sweep.specs]

    def _wait(self, threads: list[threading.Thread]) -> None:
        for thread in threads:
            while thread.is_alive():
                thread.join(0.2)

    def _interrupt(self, threads: list[threading.Thread]) -> None:
        """The first Ctrl-C lets the evaluations in flight end; a second one, raised in here, ends them at once."""
        self._interrupted = True
        self._order({"interrupt": True})
        self._wait(threads)

    def _serve(self) -> None:
        worker: subprocess.Popen[str] | None = None
        while not self._interrupted:
            try:
                spec = self._waiting.get_nowait()
            except queue.Empty:
                break
            for attempt in range(1, ATTEMPTS + 1):
                if worker is None or worker.poll() is not None:
                    worker = self._start()
                if self._hand_out(worker, spec) or self._interrupted:
                    break
                with self._lock:
                    self._workers.discard(worker)
                if attempt == ATTEMPTS:
                    lost = {
                        "status": "failed",
                        "reason": "its worker process died",
                        "hint": "the same command continues it",
                    }
                    self._note(self._states[spec.run_id].model_copy(update=lost))
        if worker is not None:
            assert worker.stdin
            worker.stdin.close()
            worker.wait()
            with self._lock:
                self._workers.discard(worker)

    def _start(self) -> subprocess.Popen[str]:
        worker = subprocess.Popen(
            [sys.executable, "-m", "assay.engines.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,  # a Ctrl-C in the terminal is for the engine alone
            env={**os.environ, **ONE_THREAD},
        )
        with self._lock:
            self._workers.add(worker)
        return worker

    def _hand_out(self, worker: subprocess.Popen[str], spec: RunSpec) -> bool:
        """Have one run carried out. False if the worker died on the way."""
        replay = self._sweep.replay
        order: dict[str, Any] = {
            "run": spec.model_dump(mode="json"),
            "results": str(self._sweep.results),
            "replay": str(replay) if replay else None,
            "stop": self._stop,
            "interrupt": self._interrupted,
        }
        try:
            self._send(worker, order)
        except OSError:
            return False
        assert worker.stdout
        for line in worker.stdout:
            state = RunState.model_validate_json(line)
            self._note(state)
            if state.status != "running":
                return True
        return False

    def _note(self, state: RunState) -> None:
        with self._lock:
            self._states[state.run_id] = state
            self._check_sweep()
            self._watch(state)

    def _check_sweep(self) -> None:
        if self._stop is None and (reason := reached(self._sweep.caps, self._spent())):
            self._stop = f"sweep-{reason}"
            self._order({"stop": self._stop}, locked=True)

    def _spent(self) -> Spent:
        states = self._states.values()
        usage = sum((s.usage for s in states), Usage())
        return Spent(sum(s.step for s in states), usage, sum(s.seconds for s in states))

    def _order(self, order: dict[str, Any], locked: bool = False) -> None:
        if not locked:
            with self._lock:
                return self._order(order, locked=True)
        for worker in self._workers:
            try:
                self._send(worker, order)
            except OSError:
                continue  # it is dead already; its thread will notice
        return None

    @staticmethod
    def _send(worker: subprocess.Popen[str], order: dict[str, Any]) -> None:
        assert worker.stdin
        worker.stdin.write(json.dumps(order) + "\n")
        worker.stdin.flush()


ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
"""Graders compute too. One core a job is what `--jobs` promises."""


def recorded_state(paths: ResultPaths, spec: RunSpec) -> RunState:
    """Where a run stands on disk before this sweep."""
    run = paths.run(spec.run_id)
    if not run.header.exists():
        return RunState(run_id=spec.run_id, status="waiting")
    record = read_run(run.root)
    steps = [e for e in record.events if isinstance(e, Stepped)]
    best = record.finished.best if record.finished else 0
    return RunState(
        run_id=spec.run_id,
        status="finished" if record.finished else "waiting",
        step=max((e.step for e in steps), default=0),
        baseline=steps[0].outcome.value if steps else None,
        best=next((e.outcome.value for e in steps if e.step == best), None),
        usage=sum((e.usage for e in record.events if isinstance(e, Called)), Usage()),
        seconds=sum(e.clock.seconds for e in record.events),
        reason=record.finished.reason if record.finished else "",
        resumed=record.finished is not None,
    )
