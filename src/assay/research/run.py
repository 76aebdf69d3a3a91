"""The way of one research project: stage after stage, each from the texts of those before it."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

from assay.base import Frozen
from assay.environments.agents.base import InteractiveAgent
from assay.environments.command.agent import Command
from assay.errors import AssayError, UsageError
from assay.files import write_whole
from assay.models.base import ModelSettings
from assay.models.names import OFFLINE, parse_name
from assay.research.bench import LIMITS, Bench
from assay.research.briefs import Brief, brief_text, find_brief, literature_file
from assay.research.calls import StageCalls
from assay.research.evidence import ProcessRecord
from assay.research.literature.bibtex import write_bibtex
from assay.research.literature.local import LocalLibrary
from assay.research.literature.open import open_library
from assay.research.literature.paper import Library
from assay.research.paths import ResearchPaths
from assay.research.program import COMMAND, IN_ROUNDS, Experimenter, experiments_by_program
from assay.research.stages import STAGES, WRITES, Desk, Draft, Researcher, Stage
from assay.research.state import Progress, ResearchState, open_progress, read_state
from assay.runs.agents import find_agent
from assay.runs.spec import Caps
from assay.sandbox.client import Sandbox
from assay.tasks.spec import Limits

ROUNDS = 6


class Plan(Frozen):
    """What is to be done, by whom, and within which limits."""

    brief: Brief
    models: Mapping[Stage, str]
    """A model for every stage that is to be done; `offline` for all of them or for none."""
    seed: int = 0
    literature: str | None = None
    """`openalex`, or the path of a bibliography; None for what comes with the brief."""
    rounds: int = ROUNDS
    """How often a model may run experiments."""
    settings: ModelSettings = ModelSettings()
    caps: Caps = Caps()
    limits: Limits = LIMITS
    """Of one command of an experiment."""
    experimenter: Experimenter = Experimenter()


Watcher = Callable[[Stage, str], None]
"""Told what becomes of a stage: `begun`, `done`, or `there` if there was nothing to do."""


def models_by_stage(named: Sequence[str], stages: Sequence[Stage] = STAGES) -> dict[Stage, str]:
    """From `MODEL` for all stages and `STAGE=MODEL` for single ones. Raises UsageError if one of `stages` has none."""
    general = OFFLINE if not named else ""
    own: dict[str, str] = {}
    for entry in named:
        stage, equals, model = entry.partition("=")
        if equals and stage in STAGES:
            own[stage] = model
        elif general and general != OFFLINE:
            raise UsageError(f"two models for all stages: '{general}' and '{entry}'", "write --model STAGE=MODEL")
        else:
            general = entry
    models: dict[Stage, str] = {stage: own.get(stage, general) for stage in stages}
    empty = [stage for stage, model in models.items() if not model]
    if empty:
        raise UsageError(f"no model for the stage '{empty[0]}'", f"give one for all, or --model {empty[0]}=MODEL")
    if OFFLINE in models.values() and set(models.values()) != {OFFLINE}:
        raise UsageError("'offline' does all stages or none", "name a model for every stage, or none at all")
    return models


def run_research(
    plan: Plan, folder: Path, stages: Sequence[Stage] = STAGES, watch: Watcher | None = None
) -> ResearchState:
    """Do the stages that are not done yet, and return how far the project is.

    A stage that was broken off is done again; models are not asked again for what they answered before, and
    experiments that ran are not run again. Raises AssayError where a stage fails: the same call then goes on there.
    """
    text = brief_text(plan.brief)
    paths = ResearchPaths(folder)
    tell = watch or (lambda stage, what: None)
    with open_progress(paths, plan.brief.id, plan.seed) as progress, Sandbox(preload=()) as sandbox:
        library = _library(plan, progress, stages)
        write_whole(paths.task, text)
        for stage in stages:
            for earlier in STAGES[: STAGES.index(stage) + 1]:
                progress.take_given(earlier)
            if progress.finished(stage):
                tell(stage, "there")
                continue
            progress.begin(stage, _recorded(plan.models[stage]))
            tell(stage, "begun")
            if stage == "experiments":
                progress.isolated_by(sandbox.isolation)
            bench = Bench(paths, sandbox, plan.brief.data, plan.limits)
            desk = Desk(plan.brief, text, paths, plan.seed, library, bench)
            if stage == "experiments" and plan.experimenter.name == COMMAND:
                draft = experiments_by_program(
                    plan.experimenter, desk, plan.models[stage], plan.settings, partial(_calls, plan, paths, stage)
                )
            else:
                draft = _do(stage, _researcher(plan, paths, stage), desk)
            _leave(progress, stage, draft)
            tell(stage, "done")
        return progress.state


def run_command(folder: Path, arguments: Sequence[str], limits: Limits = LIMITS) -> ProcessRecord:
    """Run one command of an experiment for whoever asks, a person or a coding agent that works outside of Assay.

    Raises UsageError if the folder holds no research that Assay began, or its experiments are done.
    """
    state, paths = read_state(folder), ResearchPaths(folder)
    with open_progress(paths, state.brief, state.seed) as progress, Sandbox(preload=()) as sandbox:
        if progress.finished("experiments"):
            raise UsageError(
                f"the experiments in {folder} are done", "results that a report is written about stay as they are"
            )
        progress.isolated_by(sandbox.isolation)
        bench = Bench(paths, sandbox, find_brief(state.brief).data, limits)
        bench.write_code({})
        bench.go_on()
        return bench.run(arguments)


def _library(plan: Plan, progress: Progress, stages: Sequence[Stage]) -> Library:
    """Raises UsageError, before anything is paid for, if literature will be needed and there is none."""
    if "literature" not in stages or progress.finished("literature") or progress.take_given("literature"):
        return LocalLibrary((), "no library")
    return open_library(plan.literature, literature_file(plan.brief))


def _recorded(name: str) -> str:
    """A model's name in the record: without the address of its server."""
    return name if name == OFFLINE else parse_name(name).recorded


def _researcher(plan: Plan, paths: ResearchPaths, stage: Stage) -> Researcher:
    name = plan.models[stage]
    if name == OFFLINE:
        from assay.research.plain.researcher import PlainResearcher

        return PlainResearcher()
    from assay.models.client import open_client
    from assay.models.logged import LoggedClient
    from assay.research.modelled.researcher import ModelResearcher

    client = LoggedClient(open_client(name, plan.settings), _calls(plan, paths, stage))
    return ModelResearcher(client, plan.rounds, find_experimenter(plan.experimenter.name))


def _calls(plan: Plan, paths: ResearchPaths, stage: Stage) -> StageCalls:
    return StageCalls(paths.calls, stage, _recorded(plan.models[stage]), plan.caps)


def check_experimenter(plan: Plan) -> None:
    """Raises UsageError, before anything is done, if the experiments cannot be done as the plan says."""
    chosen = plan.experimenter
    if chosen.name == COMMAND:
        Command.check(chosen.model_dump(include={"command", "allow_network", "allow_read", "pass_env"}))
    elif chosen.command:
        raise UsageError("--command is for the experimenter 'command'", f"add --experimenter {COMMAND}")
    elif find_experimenter(chosen.name) and OFFLINE in plan.models.values():
        raise UsageError(f"'{chosen.name}' asks a model, and 'offline' is none", "name one: --model provider:model")


def find_experimenter(name: str) -> InteractiveAgent | None:
    """An interactive agent that asks a model, by its name; None for a model in rounds and for a program.

    Raises UsageError if there is no such agent, or if it is of another kind.
    """
    if name in (IN_ROUNDS, COMMAND):
        return None
    kind = find_agent(name)
    if not issubclass(kind, InteractiveAgent) or kind.proposer != "model":
        raise UsageError(
            f"'{name}' cannot do experiments",
            f"choose {IN_ROUNDS}, {COMMAND}, tools, react or mlab_research",
        )
    return kind(kind.Params())


def _do(stage: Stage, researcher: Researcher, desk: Desk) -> Draft:
    work: dict[Stage, Callable[[Desk], Draft]] = {
        "idea": researcher.idea,
        "literature": researcher.literature,
        "proposal": researcher.proposal,
        "experiments": researcher.experiments,
        "paper": researcher.paper,
    }
    draft = work[stage](desk)
    if not draft.text.strip():
        raise AssayError(f"the stage '{stage}' left no text", "use another model for it")
    return draft


def _leave(progress: Progress, stage: Stage, draft: Draft) -> None:
    if draft.papers:
        write_whole(progress.paths.references, write_bibtex(draft.papers))
    write_whole(progress.paths.root / WRITES[stage], draft.text.strip() + "\n")
    progress.finish(stage, draft.notes)
