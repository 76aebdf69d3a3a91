"""What went into the sandbox and what came out, kept to be looked at, and to grade outputs again after a change."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from assay.evaluation.evaluate import Runner
from assay.sandbox.job import Job, Result
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
        self._calls: list[Call] = []

    def run(self, job: Job) -> Result:
        result = self._runner.run(job)
        if result.outputs is not None:
            self._calls.append(Call(job, decode(job.inputs), result.outputs))
        return result

    def take(self) -> list[Call]:
        """The calls since the last time this was asked."""
        calls, self._calls = self._calls, []
        return calls


class Replayer:
    """In place of a sandbox: the n-th process of an evaluation gives the n-th recorded outputs, changed."""

    def __init__(self, calls: list[Call], change: Change) -> None:
        self._calls = calls
        self._change = change
        self._played = 0

    def run(self, job: Job) -> Result:
        call = self._calls[min(self._played, len(self._calls) - 1)]
        self._played += 1
        changed = self._change(decode(job.inputs), dict(call.outputs))
        # through the encoding, as everything that comes out of a sandbox
        return Result("ok", outputs=decode(encode(changed)))
