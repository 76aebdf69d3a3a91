"""All runs of a results folder, read once and remembered."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from assay.embedding.base import Embedder
from assay.errors import AssayError, UsageError
from assay.runs.events import Acted
from assay.runs.paths import ResultPaths, RunPaths
from assay.runs.record import DamagedJournal, blobs_of, read_run
from assay.scoring.cache import NEVER, Stamp, SummaryCache, stamp
from assay.scoring.exploring import explored
from assay.scoring.measures import Floats, measured
from assay.scoring.parallel import on_all_cores
from assay.scoring.summary import RunSummary, summarise
from assay.tasks.facts import TaskFacts, task_facts
from assay.tasks.spec import Noise
from assay.tasks.suites import find_task


@dataclass(frozen=True)
class Damage:
    """A run that cannot be trusted as it is: named, explained, and never counted as a result."""

    run_id: str
    message: str
    hint: str


@dataclass(frozen=True)
class Scores:
    """What a results folder holds."""

    results: Path
    runs: tuple[RunSummary, ...]
    """Every readable run, unfinished ones included, in the order of their ids."""
    damaged: tuple[Damage, ...] = ()
    embedder: str | None = None
    """Name of the embedder whose exploration metrics are there; None if none was asked for."""

    @property
    def finished(self) -> tuple[RunSummary, ...]:
        return tuple(run for run in self.runs if run.finished)

    @cached_property
    def several_models(self) -> frozenset[str]:
        """Agents that were run with more than one model."""
        pairs = {(run.agent, run.model) for run in self.runs}
        return frozenset(agent for agent, count in Counter(agent for agent, _ in pairs).items() if count > 1)

    @cached_property
    def measured(self) -> dict[str, Floats]:
        """The value of every measure of each finished run, by its id; NaN where undefined."""
        return dict(zip((run.run_id for run in self.finished), measured(self.finished, self.embedder), strict=True))

    def label(self, run: RunSummary) -> str:
        """How tables call the run's agent: its name, with the model where it was run with more than one."""
        return f"{run.agent} ({run.model})" if run.agent in self.several_models else run.agent

    @property
    def labels(self) -> list[str]:
        return sorted({self.label(run) for run in self.runs})


def load_scores(results: Path, embedder: Embedder | None = None) -> Scores:
    """Every run of a results folder; with an embedder, how it explored too. What did not change is not read again.

    Damaged journals are reported in `damaged` and stop nothing. Raises UsageError if the folder holds no runs.
    """
    memory = SummaryCache(results)
    known = memory.load()
    folders = _folders(results)
    stamps = {folder.name: _stamp(folder) for folder in folders}
    entries = {name: known[name] for name, when in stamps.items() if name in known and known[name][0] == when}
    read = on_all_cores(_read_all, [folder for folder in folders if folder.name not in entries])
    changed = bool(read) or len(entries) < len(known)
    damaged = [item for item in read if isinstance(item, Damage)]
    passing = []
    for item in read:
        if isinstance(item, _Read) and item.lost:
            damaged.append(item.lost)
            passing.append(item.run)
        elif isinstance(item, _Read) and item.described and stamps[item.run.run_id] != NEVER:
            entries[item.run.run_id] = (stamps[item.run.run_id], item.run)
        elif isinstance(item, _Read):
            passing.append(item.run)
    if embedder is not None:
        fresh, lost = explored(results, [*(run for _, run in entries.values()), *passing], embedder)
        damaged += [Damage(name, error.message, error.hint) for name, error in lost.items()]
        changed = changed or bool(fresh)
        entries = {name: (when, fresh.get(name, run)) for name, (when, run) in entries.items()}
        passing = [fresh.get(run.run_id, run) for run in passing]
    if changed:
        memory.save(entries)
    runs = sorted([*(run for _, run in entries.values()), *passing], key=lambda run: run.run_id)
    damaged += [_cut_line(run) for run in runs if run.cut]
    return Scores(results, tuple(_with_noise(runs)), tuple(damaged), embedder.name if embedder else None)


@dataclass(frozen=True)
class _Read:
    run: RunSummary
    described: bool
    """Whether the run describes its task. If not, the task's folder decides, and the summary is not remembered."""
    lost: Damage | None = None
    """Set if texts of the run are not there: it is scored, and how it went about it is not known."""


def _read_all(folders: Sequence[Path]) -> list["_Read | Damage"]:
    return [_read_one(folder) for folder in folders]


def _read_one(folder: Path) -> "_Read | Damage":
    try:
        record = read_run(folder)
        facts = record.header.task or _facts_at_hand(record.header.spec.task, folder)
        run, described = summarise(record, facts), record.header.task is not None
    except DamagedJournal as damage:
        return Damage(folder.name, damage.message, damage.hint)
    if not any(isinstance(event, Acted) for event in record.events):
        return _Read(run, described)
    from assay.scoring.conduct.flags import conduct_of

    try:
        return _Read(replace(run, conduct=conduct_of(record, facts, blobs_of(folder.parents[1]))), described)
    except AssayError as error:
        what = f"run '{run.run_id}': how its agent went about it is not known: {error.message}"
        return _Read(run, described, Damage(run.run_id, what, error.hint))


def _stamp(folder: Path) -> Stamp:
    try:
        return stamp(RunPaths(folder))
    except FileNotFoundError:
        return NEVER


def _folders(results: Path) -> list[Path]:
    """Every folder that holds a run or the remains of one."""
    runs = ResultPaths(results).runs
    if not runs.is_dir():
        raise UsageError(f"{results} holds no runs", "make some with: assay run --agent autoresearch --task fml-mini")
    return sorted(p for p in runs.iterdir() if (p / "run.json").exists() or (p / "events.jsonl").exists())


def _facts_at_hand(task: str, folder: Path) -> TaskFacts:
    try:
        return task_facts(find_task(task))
    except UsageError as error:
        raise DamagedJournal(
            f"{folder / 'run.json'} does not describe its task, and: {error.message}",
            "install the task and score again",
        ) from None


def _cut_line(run: RunSummary) -> Damage:
    return Damage(
        run.run_id,
        f"the journal of run '{run.run_id}' is cut in its last line; it counts as unfinished",
        "it is being written, or its writer was killed: give its command again to continue it",
    )


def _with_noise(runs: Iterable[RunSummary]) -> Iterable[RunSummary]:
    """Noise that was measured after a run began counts for it too."""
    measured: dict[str, Noise | None] = {}
    for run in runs:
        if run.facts.noise is None:
            if run.task not in measured:
                measured[run.task] = _noise_at_hand(run.task)
            if measured[run.task] is not None:
                run = replace(run, facts=run.facts.model_copy(update={"noise": measured[run.task]}))
        yield run


def _noise_at_hand(task: str) -> Noise | None:
    try:
        return find_task(task).spec.noise
    except AssayError:
        return None
