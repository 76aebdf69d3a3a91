"""From a RunSpec to a finished run: everything a loop needs, put together."""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from assay.errors import UsageError
from assay.evaluation.evaluate import Evaluator
from assay.models.base import CallLog, Client, Completion
from assay.models.logged import LoggedClient
from assay.proposers.base import Proposer
from assay.runs.agents import Opened, find_agent, searches
from assay.runs.blobs import Blobs
from assay.runs.events import Called, Finished
from assay.runs.journal import open_journal
from assay.runs.loop import Loop
from assay.runs.machine import machine, versions
from assay.runs.paths import ResultPaths
from assay.runs.record import Header, blobs_of, read_run
from assay.runs.session import Control, Session
from assay.runs.spec import RunSpec
from assay.runs.tape import Tape, recorded_completion
from assay.sandbox.client import Sandbox
from assay.strategies.base import Setting, Strategy
from assay.strategies.registry import find_strategy
from assay.tasks.facts import task_facts
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

    Raises UsageError if the run was begun with other arguments or another version of the task, JournalBusy if another
    process is at it, and whatever Loop.run raises.
    """
    task = find_task(spec.task)
    agent = find_agent(spec.agent)
    sandbox = sandboxes.for_task(task)
    paths = ResultPaths(results)

    def header() -> Header:
        return Header(
            spec=spec,
            task_digest=task.digest,
            task=task_facts(task),
            isolation=sandbox.isolation,
            versions=versions(),
            machine=machine(),
        )

    blobs = Blobs(paths.blobs)
    with open_journal(paths.run(spec.run_id), spec, header) as journal:
        if journal.header.task_digest != task.digest:
            raise UsageError(
                f"task '{task.id}' has changed since run '{spec.run_id}' was begun",
                "results of two versions cannot be mixed: use another --out, or move the run's folder away",
            )
        # a proposer asks the tape before it spends, and the tape asks the session, which is made after it
        tape = Tape(journal, blobs, lambda spent: session.check(spent))
        session = Session(task, Evaluator(task, sandbox, spec.seed), tape, blobs, spec.caps, control)
        if not searches(agent):
            opened = Opened(spec, session, sandbox, lambda name: LoggedClient(_client(name, spec, replay), tape))
            return agent.drive(opened)
        strategy = build_strategy(spec, task)
        return Loop(session, strategy, build_proposer(spec, strategy, tape, replay), spec.seed).run()


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
    if strategy.proposer == "probes":
        from assay.proposers.noise import NoiseProposer

        return NoiseProposer()
    if strategy.proposer != "model":
        from assay.proposers.fixed import FixedProposer

        return FixedProposer()
    if spec.model == "offline":
        from assay.proposers.offline import OfflineProposer

        return OfflineProposer()
    from assay.proposers.llm import LlmProposer

    return LlmProposer(_client(spec.model, spec, replay), log)


def _client(name: str, spec: RunSpec, replay: Path | None) -> Client:
    """A model, or the record of its answers."""
    from assay.models.client import open_client
    from assay.models.names import parse_name
    from assay.models.replay import ReplayClient

    if replay is None:
        return open_client(name, spec.settings)
    return ReplayClient(parse_name(name).recorded, spec.settings, recorded_calls(replay, spec.run_id), str(replay))


def recorded_calls(results: Path, run_id: str) -> Iterator[tuple[str, Completion]]:
    """The model calls of one run, in order. Raises AssayError if that run is not among these results."""
    blobs = blobs_of(results)
    for event in read_run(ResultPaths(results).run(run_id).root).events:
        if isinstance(event, Called):
            yield event.key, recorded_completion(event, blobs)
