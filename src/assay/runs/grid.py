"""From the words of a command to the runs of a sweep. Everything that can be wrong is found here, before any work."""

from collections.abc import Iterable, Sequence

from assay.errors import UsageError, unknown
from assay.models.base import ModelSettings
from assay.runs.agents import find_agent
from assay.runs.journal import refuse_changes
from assay.runs.paths import ResultPaths
from assay.runs.spec import Caps, RunSpec
from assay.strategies.registry import build_params
from assay.tasks.load import Task

NO_MODEL = "none"
"""The model of an agent that asks none."""


def parse_overrides(words: Iterable[str], agents: Sequence[str]) -> dict[str, dict[str, str]]:
    """`aide.num_drafts=5` → {"aide": {"num_drafts": "5"}}. Raises UsageError for anything else."""
    overrides: dict[str, dict[str, str]] = {agent: {} for agent in agents}
    for word in words:
        name, equals, value = word.partition("=")
        agent, dot, key = name.rpartition(".")
        if not equals or not dot or not key:
            raise UsageError(
                f"'{word}' is not a parameter", "write agent.parameter=value, for example aide.num_drafts=5"
            )
        if agent not in overrides:
            raise unknown("agent in this sweep", agent, agents, ", ".join(agents))
        overrides[agent][key] = value
    return overrides


def grid(
    agents: Sequence[str],
    tasks: Sequence[Task],
    models: Sequence[str],
    seeds: Sequence[int],
    caps: Caps,
    settings: ModelSettings,
    preset: str | None,
    overrides: dict[str, dict[str, str]],
) -> tuple[RunSpec, ...]:
    """Every combination, seeds outermost, so that an interrupted sweep leaves whole comparisons behind."""
    specs: dict[str, RunSpec] = {}
    for seed in seeds:
        for task in tasks:
            for agent in agents:
                kind = find_agent(agent)
                params = build_params(kind, preset, overrides[agent]).model_dump(mode="json")
                for model in models if kind.proposer == "model" else (NO_MODEL,):
                    spec = RunSpec(
                        agent=agent,
                        params=params,
                        model=model,
                        settings=settings if kind.proposer == "model" else ModelSettings(),
                        task=task.name,
                        seed=seed,
                        caps=caps,
                    )
                    specs.setdefault(spec.run_id, spec)
    return tuple(specs.values())


def refuse_changed_runs(paths: ResultPaths, specs: Iterable[RunSpec]) -> None:
    """Raises UsageError for the first run that was begun with other arguments."""
    for spec in specs:
        run = paths.run(spec.run_id)
        if run.header.exists():
            refuse_changes(run, spec)
