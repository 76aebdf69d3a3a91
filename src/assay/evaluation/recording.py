"""What went into the sandbox and what came out, kept to be looked at, and to grade outputs again after a change."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from assay.evaluation.evaluate import Runner
from assay.sandbox.job import Job, Result
from assay.tasks.grader import Grade, Grader
from assay.tasks.outcome import Split
from assay.tasks.payload import Payload, decode, encode

Outputs = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """One sandboxed process of an evaluation that ended well."""

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


def replay(
    grader: Grader, calls: list[Call], split: Split, seed: int, change: Callable[[Payload, Outputs], Outputs]
) -> Grade:
    """Grade recorded outputs again, each changed first by a function of its inputs. No candidate runs.

    Raises what the grader raises. Calls beyond the recorded ones are answered like the last of them.
    """
    played = 0

    def perform(inputs: Payload | bytes) -> Outputs:
        nonlocal played
        call = calls[min(played, len(calls) - 1)]
        played += 1
        # through the encoding, as everything that comes out of a sandbox
        plain = decode(inputs) if isinstance(inputs, bytes) else inputs
        return decode(encode(change(plain, dict(call.outputs))))

    return grader.grade(grader.conduct(perform, split, seed), split, seed)
