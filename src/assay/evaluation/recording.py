"""What went into the sandbox and what came out, kept to be looked at, and to grade outputs again after a change."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from assay.evaluation.evaluate import Evaluator, Runner
from assay.sandbox.job import Job, Result
from assay.tasks.load import Task
from assay.tasks.outcome import Outcome
from assay.tasks.payload import decode, encode

Outputs = dict[str, Any]
Change = Callable[[dict[str, Any], Outputs], Outputs]
"""Inputs of a process and a copy of its outputs in, other outputs out."""


@dataclass(frozen=True)
class Call:
    """One sandboxed process that ended well."""

    job: Job
    inputs: dict[str, Any]
    outputs: Outputs


class Recorder:
    """A sandbox that remembers the calls made through it."""

    def __init__(self, runner: Runner) -> None:
        self._runner = runner
        self.calls: list[Call] = []

    def run(self, job: Job) -> Result:
        result = self._runner.run(job)
        if result.outputs is not None:
            self.calls.append(Call(job, decode(job.inputs), result.outputs))
        return result


class Replay:
    """The recorded evaluation of a baseline on val, graded again with other outputs. No candidate runs."""

    def __init__(self, task: Task, calls: list[Call], baseline: Outcome) -> None:
        self.calls = calls
        self.baseline = baseline
        self._task = task
        self._change: Change = lambda _, outputs: outputs
        self._played = 0
        self._evaluator = Evaluator(task, self, seed=0)
        self._evaluator.know_baseline("val", baseline.metrics)

    def outcome(self, change: Change) -> Outcome:
        """How the evaluation would have ended if every process had given the changed outputs."""
        self._change, self._played = change, 0
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return self._evaluator.evaluate(self._task.baseline, "val")

    def run(self, job: Job) -> Result:
        """In place of a sandbox: the n-th process gives the n-th recorded outputs, changed."""
        call = self.calls[min(self._played, len(self.calls) - 1)]
        self._played += 1
        changed = self._change(decode(job.inputs), dict(call.outputs))
        # through the encoding, as everything that comes out of a sandbox
        return Result("ok", outputs=decode(encode(changed)))
