"""From a RunSpec to a finished run: everything a loop needs, put together."""

from pathlib import Path
from types import TracebackType
from typing import Self

from assay.evaluation.evaluate import Evaluator
from assay.models.base import CallLog
from assay.proposers.base import Proposer
from assay.runs.blobs import Blobs
from assay.runs.events import Finished
from assay.runs.journal import open_journal
from assay.runs.loop import Control, Loop
from assay.runs.machine import machine, versions
from assay.runs.paths import ResultPaths
from assay.runs.record import Header
from assay.runs.spec import RunSpec
from assay.runs.tape import Tape
from assay.sandbox.client import Sandbox
from assay.strategies.base import Setting, Strategy
from assay.strategies.registry import find_strategy
from assay.tasks.load import Task
from assay.tasks.suites import find_task


class Sandboxes:
    """Fork servers by what they import ahead, kept for as long as this is open: runs of like tasks share one."""

    def __init__(self) -> None:
        self._open: dict[tuple[tuple[str, ...], tuple[str, ...]], Sandbox] = {}

    def for_task(self, task: Task) -> Sandbox:
        key = (task.spec.preload, task.spec.hidden)
        if key not in self._open:
            self._open[key] = Sandbox(*key)
        return self._open[key]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        for sandbox in self._open.values():
            sandbox.close()


def carry_out(
    spec: RunSpec, results: Path, sandboxes: Sandboxes, control: Control, replay: Path | None = None
) -> Finished:
    """Begin or continue one run. With `replay`, models are answered from the calls recorded in that results folder.

    Raises UsageError if the run was begun with other arguments, JournalBusy if another process is at it, and whatever
    Loop.run raises.
    """
    task = find_task(spec.task)
    strategy = build_strategy(spec, task)
    sandbox = sandboxes.for_task(task)
    paths = ResultPaths(results)

    def header() -> Header:
        return Header(
            spec=spec, task_digest=task.digest, isolation=sandbox.isolation, versions=versions(), machine=machine()
        )

    blobs = Blobs(paths.blobs)
    with open_journal(paths.run(spec.run_id), spec, header) as journal:
        # the proposer writes to the tape and the tape asks the loop for leave, so the loop's check is bound late
        tape = Tape(journal, blobs, lambda spent: loop.check(spent))
        loop = Loop(
            task=task,
            strategy=strategy,
            proposer=build_proposer(spec, strategy, tape, replay),
            evaluator=Evaluator(task, sandbox, spec.seed),
            tape=tape,
            blobs=blobs,
            caps=spec.caps,
            seed=spec.seed,
            control=control,
        )
        return loop.run()


def build_strategy(spec: RunSpec, task: Task) -> Strategy:
    """The agent's strategy with its parameters, in the setting of this run."""
    kind = find_strategy(spec.agent)
    setting = Setting(
        metric=task.spec.metric,
        steps=spec.caps.steps if spec.caps.steps is not None else 10**9,
        seed=spec.seed,
        editable_lines=sum(text.count("\n") + 1 for text in task.baseline.files.values()),
        solutions=len(task.solutions) if kind.proposer == "solutions" else 0,
    )
    return kind(kind.Params.model_validate(spec.params), setting)


def build_proposer(spec: RunSpec, strategy: Strategy, log: CallLog, replay: Path | None) -> Proposer:
    """Who answers this run's requests."""
    if strategy.proposer != "model":
        from assay.proposers.fixed import FixedProposer

        return FixedProposer()
    if spec.model == "offline":
        from assay.proposers.offline import OfflineProposer

        return OfflineProposer()
    from assay.models.client import open_client
    from assay.models.replay import ReplayClient
    from assay.proposers.llm import LlmProposer

    client = ReplayClient(replay, spec.model, spec.settings) if replay else open_client(spec.model, spec.settings)
    return LlmProposer(client, log)
