"""`assay simulate`: strategies on synthetic landscapes."""

from typing import TYPE_CHECKING

import click

from assay.cli.output import json_option, print_json, print_table
from assay.errors import UsageError, unknown

if TYPE_CHECKING:
    from assay.strategies.base import Params, Strategy
    from assay.strategies.landscape import Kind
    from assay.strategies.simulate import Simulated


@click.command()
@click.option("--agent", default="all", show_default=True, help="Strategies, separated by commas, or 'all'.")
@click.option(
    "--landscape",
    default="all",
    show_default=True,
    help="dense, sparse, deceptive or noisy, separated by commas, or 'all'.",
)
@click.option("--runs", type=click.IntRange(min=1), default=100, show_default=True, help="Problems of each landscape.")
@click.option("--steps", type=click.IntRange(min=1), default=100, show_default=True, help="Steps of each run.")
@click.option("--preset", help="Parameters as published: fmlbench, or as in the original project: upstream.")
@json_option
@click.argument("parameters", nargs=-1)
def command(
    agent: str, landscape: str, runs: int, steps: int, preset: str | None, as_json: bool, parameters: tuple[str, ...]
) -> None:
    """Run strategies on synthetic landscapes with a known optimum of 1. No model and no process is started.

    For each strategy and landscape: the mean over all runs of the best value found, with its 95 % interval. PARAMETERS
    set a strategy's own, as in aide.num_drafts=5.
    """
    from assay.strategies.simulate import simulate

    work = [(*subject, kind) for subject in _subjects(agent, preset, parameters) for kind in _landscapes(landscape)]
    cells = []
    for strategy, params, kind in work:
        cells.append(simulate(strategy, params, kind, runs, steps))
        click.echo(f"[{len(cells)}/{len(work)}] {strategy.name} on {kind}: {cells[-1].mean:.3f}", err=True)
    if as_json:
        print_json([cell.model_dump() for cell in cells])
    else:
        _show(cells)


def _landscapes(text: str) -> "list[Kind]":
    from assay.cli.sweep import names
    from assay.strategies.landscape import KINDS

    wanted = KINDS if text == "all" else names(text)
    for kind in wanted:
        if kind not in KINDS:
            raise unknown("landscape", kind, KINDS, ", ".join(KINDS))
    return [kind for kind in KINDS if kind in wanted]


def _subjects(text: str, preset: str | None, parameters: tuple[str, ...]) -> "list[tuple[type[Strategy], Params]]":
    """Strategies with their parameters; 'all' are those that search."""
    from assay.cli.sweep import names
    from assay.runs.grid import parse_overrides
    from assay.strategies.registry import agents, build_params, find_strategy

    chosen = [name for name in agents() if find_strategy(name).proposer == "model"] if text == "all" else names(text)
    overrides = parse_overrides(parameters, chosen)
    subjects = []
    for name in chosen:
        strategy = find_strategy(name)
        if strategy.proposer in ("solutions", "probes"):
            raise UsageError(
                f"a landscape has no {strategy.proposer} for '{name}'", "choose another agent: assay list agents"
            )
        subjects.append((strategy, build_params(strategy, preset, overrides[name])))
    return subjects


def _show(cells: "list[Simulated]") -> None:
    """One row a strategy and one column a landscape, the baseline last."""
    kinds = list(dict.fromkeys(cell.landscape for cell in cells))
    baselines = {cell.landscape: cell.baseline for cell in cells}
    rows = [
        [agent, *(f"{c.mean:.3f} [{c.low:.3f}, {c.high:.3f}]" for c in cells if c.agent == agent)]
        for agent in dict.fromkeys(cell.agent for cell in cells)
    ]
    rows.append(["(baseline)", *(f"{baselines[kind]:.3f}" for kind in kinds)])
    title = f"mean best of {cells[0].runs} runs of {cells[0].steps} steps, with its 95 % interval; the optimum is 1"
    print_table(title, ["agent", *kinds], rows)
