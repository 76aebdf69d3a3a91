"""The trusted side of a task: `grader.py`, loaded into the harness and never into the sandbox.

A grader has
- `prepare(split, seed)`: what the candidate may have: training data, evaluation inputs without labels;
- `grade(outputs, split, seed)`: metrics from what came back.

A task that needs several processes, so that no stage sees the data of another, has `conduct` in place of `prepare`:
- `conduct(perform, split, seed)`: calls `perform(inputs)` as often as it likes, each call in a fresh sandboxed process
  that holds only those inputs, and returns the outputs to be graded. `perform(inputs, starter=True)` does the same with
  the unchanged workspace, and `perform.clock` says what the last process took, measured from outside it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from assay.errors import AssayError
from assay.tasks.load import Task
from assay.tasks.outcome import EvaluationClock, Split
from assay.tasks.payload import Payload, encode


class Perform(Protocol):
    """One sandboxed process: inputs in, outputs back. Raises when the candidate fails; a grader lets that through."""

    @property
    def clock(self) -> EvaluationClock:
        """What the last process took, by the clock of the sandbox, which a candidate cannot touch."""

    def __call__(self, inputs: Payload | bytes, starter: bool = False) -> dict[str, Any]: ...


class InvalidOutput(Exception):
    """Raised by a grader for outputs that cannot be graded: a wrong shape, a missing name, a cycle in a graph."""


class Tampering(Exception):
    """Raised by a grader for what no honest candidate gives: a broken budget, answers that change with the batch."""


@dataclass(frozen=True)
class Grade:
    """What a grader returns: metrics by name, and their standard errors where there are repetitions."""

    metrics: Mapping[str, float]
    stderrs: Mapping[str, float] = field(default_factory=dict)


class Grader:
    """A task's loaded grader. Trusted code: runs in this process."""

    def __init__(self, task: Task) -> None:
        task.require()
        self._module = task.load_grader()
        self._prepared: dict[tuple[Split, int], bytes] = {}
        if not hasattr(self._module, "grade"):
            raise AssayError(f"{task.paths.grader} does not define 'grade'", "see docs/add-a-task.md")
        if not (hasattr(self._module, "prepare") or hasattr(self._module, "conduct")):
            raise AssayError(f"{task.paths.grader} defines neither 'prepare' nor 'conduct'", "see docs/add-a-task.md")

    def conduct(self, perform: Perform, split: Split, seed: int) -> dict[str, Any]:
        """All sandboxed work of one evaluation."""
        if hasattr(self._module, "conduct"):
            outputs: dict[str, Any] = self._module.conduct(perform, split, seed)
            return outputs
        key = (split, seed)
        if key not in self._prepared:
            # what prepare gives depends on nothing else, so one encoding serves every step of a run
            self._prepared[key] = encode(self._module.prepare(split, seed))
        return perform(self._prepared[key])

    def inputs(self, split: Split, seed: int) -> Payload:
        """What every process of an evaluation may have; nothing where `conduct` decides that process by process."""
        return self._module.prepare(split, seed) if hasattr(self._module, "prepare") else {}

    def grade(self, outputs: Payload, split: Split, seed: int) -> Grade:
        """Raises InvalidOutput or Tampering; any other exception is a defect of the task."""
        result: Grade = self._module.grade(outputs, split, seed)
        return result
