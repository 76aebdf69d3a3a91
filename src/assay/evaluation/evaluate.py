"""One evaluation: the candidate performs in the sandbox, trusted code grades what came back."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Protocol

from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

from assay.errors import AssayError
from assay.sandbox.job import Job, Result
from assay.tasks.candidate import Candidate
from assay.tasks.grader import Grade, Grader, InvalidOutput, Tampering
from assay.tasks.load import Task
from assay.tasks.outcome import Blame, ConstraintValue, EvaluationClock, Kind, Outcome, Split
from assay.tasks.payload import Payload, encode
from assay.tasks.spec import Constraint

ATTEMPTS = 3
"""How often an evaluation is tried when the infrastructure fails. Nothing else is ever tried twice."""
LOG_CHARACTERS = 8000


class Runner(Protocol):
    """What an evaluation needs of a sandbox; Sandbox is one."""

    def run(self, job: Job) -> Result: ...


class Evaluator:
    """Evaluates candidates of one task for one seed.

    The same candidate, split and seed give the same outcome but for its clock. Never raises for anything a candidate
    does. Not safe for several threads at once.
    """

    def __init__(self, task: Task, sandbox: Runner, seed: int) -> None:
        self._task = task
        self._sandbox = sandbox
        self._seed = seed
        self._grader = Grader(task)
        # graders compute in this process; on one thread a sum has one order, and processes do not fight for cores
        self._threads = ThreadpoolController()
        self._baseline_metrics: dict[Split, Mapping[str, float]] = {}

    def baseline(self, split: Split) -> Outcome:
        """Evaluate the unchanged workspace, and keep its metrics as the reference of the constraints on this split."""
        outcome = self._attempt(self._task.baseline, split, constraints=())
        if outcome.ok:
            self.know_baseline(split, outcome.metrics)
        return outcome

    def know_baseline(self, split: Split, metrics: Mapping[str, float]) -> None:
        """Take the baseline's metrics from a record instead of measuring them again."""
        self._baseline_metrics[split] = metrics

    def evaluate(self, candidate: Candidate, split: Split) -> Outcome:
        """Evaluate one candidate; measures the baseline of the split first if a constraint refers to it.

        Raises AssayError if that baseline fails or lacks what a constraint refers to: then the task is at fault.
        """
        constraints = self._task.spec.constraints
        if constraints and split not in self._baseline_metrics:
            outcome = self.baseline(split)
            if not outcome.ok:
                raise baseline_failed(self._task, outcome)
        for name in (c.metric for c in constraints if c.metric not in self._baseline_metrics[split]):
            where = self._task.paths.spec
            raise AssayError(f"{where}: a constraint refers to '{name}'", "grader.py reports no metric of this name")
        return self._attempt(candidate, split, constraints)

    def _attempt(self, candidate: Candidate, split: Split, constraints: tuple[Constraint, ...]) -> Outcome:
        for _ in range(ATTEMPTS):
            evaluation = _Evaluation(self._task, self._sandbox, self._grader, candidate)
            with self._threads.limit(limits=1):
                outcome = evaluation.outcome(split, self._seed)
            if outcome.blame != "infrastructure":
                break
        return self._constrained(outcome, constraints, split) if outcome.ok else outcome

    def _constrained(self, outcome: Outcome, constraints: tuple[Constraint, ...], split: Split) -> Outcome:
        checked = tuple(_check(c, outcome.metrics, self._baseline_metrics.get(split, {})) for c in constraints)
        broken = [c for c in checked if not c.holds]
        if not broken:
            return outcome.model_copy(update={"constraints": checked})
        message = "; ".join(f"{c.metric} is {c.value:.6g}, must be {c.op} {c.limit:.6g}" for c in broken)
        changes = {"kind": "constraint", "blame": "agent", "value": None, "constraints": checked, "message": message}
        return outcome.model_copy(update=changes)


def baseline_failed(task: Task, outcome: Outcome) -> AssayError:
    """The error for a task whose own starter code does not run here."""
    return AssayError(
        f"the baseline of task '{task.id}' failed: {outcome.kind}: {outcome.message}",
        f"look closer with: assay task check {task.id}",
    )


class _Failed(Exception):
    """A sandboxed process ended without outputs."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.message)
        self.result = result


class _Evaluation:
    """The processes of one evaluation and what they took together. Called by the grader to perform."""

    def __init__(self, task: Task, sandbox: Runner, grader: Grader, candidate: Candidate) -> None:
        self._task = task
        self._sandbox = sandbox
        self._grader = grader
        self._files = {**task.fixed_files, **candidate.files}
        self._clock = EvaluationClock()
        self.clock = EvaluationClock()
        self._log = ""

    def outcome(self, split: Split, seed: int) -> Outcome:
        try:
            outputs = self._grader.conduct(self, split, seed)
            grade = self._grader.grade(outputs, split, seed)
        except _Failed as failed:
            return self._failure(failed.result)
        except InvalidOutput as error:
            return self._ended("invalid_output", "agent", str(error))
        except Tampering as error:
            return self._ended("tampering", "agent", str(error))
        except Exception as error:
            return self._ended("crashed", "task", f"grader.py raised {error!r}")
        return self._graded(grade)

    def __call__(self, inputs: Payload | bytes, starter: bool = False) -> dict[str, Any]:
        """One sandboxed process. The task's wall clock covers all processes of an evaluation together."""
        data = inputs if isinstance(inputs, bytes) else encode(inputs)
        files = {**self._task.fixed_files, **self._task.baseline.files} if starter else self._files
        limits = self._task.spec.limits
        left = max(limits.seconds - self._clock.seconds, 0.01)
        job = Job(self._task.perform_source, files, data, limits.model_copy(update={"seconds": left}))
        result = self._sandbox.run(job)
        self.clock = result.clock
        self._clock = EvaluationClock(
            seconds=self._clock.seconds + result.clock.seconds,
            cpu_seconds=self._clock.cpu_seconds + result.clock.cpu_seconds,
            peak_mb=max(self._clock.peak_mb, result.clock.peak_mb),
        )
        self._log = (self._log + result.log_tail)[-LOG_CHARACTERS:]
        if result.outputs is None:
            if result.kind == "timeout":
                result = replace(result, message=f"took longer than {limits.seconds:g} s")
            raise _Failed(result)
        return result.outputs

    def _graded(self, grade: Grade) -> Outcome:
        name = self._task.spec.metric.name
        if name not in grade.metrics:
            return self._ended("crashed", "task", f"grader.py returned no metric '{name}'")
        value = float(grade.metrics[name])
        if not math.isfinite(value):
            return self._ended("invalid_output", "agent", f"{name} is {value}")
        return Outcome(
            kind="ok",
            value=value,
            metrics=_finite(grade.metrics),
            stderrs=_finite(grade.stderrs),
            log_tail=self._log,
            clock=self._clock,
        )

    def _failure(self, result: Result) -> Outcome:
        if result.kind == "infrastructure" or result.kind == "ok":
            return self._ended("crashed", "infrastructure", result.message)
        return self._ended(result.kind, "agent", result.message)

    def _ended(self, kind: Kind, blame: Blame, message: str) -> Outcome:
        return Outcome(kind=kind, blame=blame, message=message, log_tail=self._log, clock=self._clock)


def _finite(values: Mapping[str, float]) -> dict[str, float]:
    """Secondary metrics may be undefined for a candidate; what is not a number is left out."""
    return {name: float(value) for name, value in values.items() if math.isfinite(value)}


def _check(constraint: Constraint, metrics: Mapping[str, float], baseline: Mapping[str, float]) -> ConstraintValue:
    reference = baseline[constraint.metric] if constraint.reference == "baseline" else constraint.reference
    limit = reference * constraint.factor
    value = metrics.get(constraint.metric, math.nan)
    if constraint.op == ">=":
        limit -= constraint.tolerance
        holds = value >= limit
    else:
        limit += constraint.tolerance
        holds = value <= limit
    # a metric that is missing or not a number breaks the constraint: no comparison with NaN is true
    return ConstraintValue(metric=constraint.metric, value=value, op=constraint.op, limit=limit, holds=holds)
