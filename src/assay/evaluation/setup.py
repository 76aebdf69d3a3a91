"""`assay setup` for a task whose data is not ours to give: get it, arrange it, measure the starter on it."""

from pathlib import Path

from assay.errors import UsageError
from assay.evaluation.evaluate import Evaluator, baseline_failed
from assay.sandbox.client import Sandbox
from assay.tasks.fetch import originals
from assay.tasks.installed import installing
from assay.tasks.load import Task
from assay.tasks.outcome import Outcome, Split
from assay.tasks.spec import Measured

TIMED_TOLERANCE = 0.5
"""Two measurements of a time agree this well on a machine that others use too."""


def set_up(task: Task, sandbox: Sandbox, folder: Path | None = None) -> Measured:
    """Install the task's data from a folder of originals, or fetch them, and measure its starter on both splits.

    All or nothing: if the originals are not as expected or the starter fails on them, what was there before stays.
    Raises UsageError or AssayError.
    """
    source = task.spec.source
    if source is None:
        raise UsageError(f"task '{task.id}' needs no data", "it is ready: assay evaluate, assay run")
    with originals(task.id, source, folder) as found:
        arrangement = task.load_grader().arrange(found)
    with installing(task.id, arrangement) as installed:
        val, test = (_baseline(task, sandbox, split) for split in ("val", "test"))
        name = task.spec.metric.name
        measured = Measured(
            val=_value(val),
            test=_value(test),
            val_stderr=val.stderrs.get(name, 0.0),
            test_stderr=test.stderrs.get(name, 0.0),
            tolerance=TIMED_TOLERANCE if task.spec.timed else Measured.model_fields["tolerance"].default,
        )
        installed.keep_baseline(measured)
    return measured


def _baseline(task: Task, sandbox: Sandbox, split: Split) -> Outcome:
    outcome = Evaluator(task, sandbox, seed=0).baseline(split)
    if not outcome.ok:
        raise baseline_failed(task, outcome)
    return outcome


def _value(outcome: Outcome) -> float:
    assert outcome.value is not None, "an outcome that is ok has a value"
    return outcome.value
