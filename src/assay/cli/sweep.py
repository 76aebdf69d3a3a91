"""A sweep from the command line: planned, checked, carried out and watched."""

from collections.abc import Sequence
from pathlib import Path

import click

from assay.cli.isolation import warn_if_open
from assay.cli.progress import watching
from assay.engines.base import RunState, Sweep
from assay.engines.local import LocalEngine
from assay.errors import UsageError
from assay.models.base import ModelSettings
from assay.models.names import OFFLINE
from assay.runs.agents import find_agent, searches, searching
from assay.runs.grid import NO_MODEL, grid, parse_overrides, refuse_changed_runs
from assay.runs.paths import ResultPaths
from assay.runs.run import build_strategy
from assay.runs.spec import Caps, RunSpec
from assay.sandbox.isolation import probe
from assay.tasks.suites import find_task, select_tasks


def names(text: str) -> list[str]:
    """A comma-separated list, without empty parts and each once."""
    return list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))


def plan(
    agents: str,
    tasks: str,
    models: Sequence[str],
    seeds: int,
    caps: Caps,
    total: Caps,
    settings: ModelSettings,
    preset: str | None,
    parameters: Sequence[str],
    out: Path,
    replay: Path | None,
) -> Sweep:
    """Everything that can be refused is refused here, before anything is written. Raises UsageError."""
    chosen = searching() if agents == "all" else names(agents)
    if not chosen:
        raise UsageError("no agent was named", "all agents: assay list agents")
    overrides = parse_overrides(parameters, chosen)
    specs = grid(chosen, select_tasks(tasks), models, range(seeds), caps, settings, preset, overrides)
    for spec in specs:
        kind = find_agent(spec.agent)
        if not searches(kind):
            kind.check(spec.params)
        elif not find_task(spec.task).spec.feedback:
            raise UsageError(
                f"task '{spec.task}' tells nothing before the end, so '{spec.agent}' has nothing to search by",
                "use an interactive agent: --agent trivial, react, tools, …",
            )
    if replay is None:
        _check_models(specs, caps, total)
    refuse_changed_runs(ResultPaths(out), specs)
    return Sweep(specs=specs, results=out, caps=total, replay=replay)


def carry_out(sweep: Sweep, jobs: int, quiet: bool) -> list[RunState]:
    """Carry out a sweep on this machine, with progress unless quiet."""
    warn_if_open(probe())
    for note in _notes(sweep.specs):
        click.echo(f"note: {note}", err=True)
    with watching(sweep, quiet) as watch:
        return list(LocalEngine(jobs).carry_out(sweep, watch))


def _notes(specs: Sequence[RunSpec]) -> list[str]:
    """What strategies want a user to know before they start, each once."""
    found: dict[str, None] = {}
    for spec in (spec for spec in specs if searches(find_agent(spec.agent))):
        strategy = build_strategy(spec, find_task(spec.task))
        found.update((f"{spec.agent}: {note}", None) for note in strategy.notes())
    return list(found)


def _check_models(specs: Sequence[RunSpec], caps: Caps, total: Caps) -> None:
    beside = {str(spec.params.get(key) or OFFLINE) for spec in specs for key in ("fast_model", "edit_model")}
    asked = ({spec.model for spec in specs} | beside) - {OFFLINE, NO_MODEL}
    if not asked:
        return
    from assay.models.client import check_model
    from assay.models.prices import priced

    for model in sorted(asked):
        check_model(model)
        if (caps.usd is not None or total.usd is not None) and not priced(model):
            raise UsageError(
                f"the price of '{model}' is not known, so a cap in dollars could not hold",
                "cap its tokens instead: --max-tokens or --total-tokens",
            )
