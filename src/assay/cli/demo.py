"""`assay demo`: what Assay does, in about a minute and with no key."""

import os
from pathlib import Path

import click

AGENTS = "nop,autoresearch,aide,oracle"
TASKS = "fml-mini/generalization_domainbed,fml-mini/fairness_fairlearn,fml-mini/continual_learning"
STEPS = 8


@click.command()
@click.option(
    "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("results-demo"), show_default=True
)
def command(out: Path) -> None:
    """Run search agents on three research tasks, offline and in the sandbox, then score them and write a report.

    `nop` changes nothing and `oracle` plays the known-good solutions: between these two every agent must lie. A second
    call continues or shows what is there.
    """
    from assay.cli.output import print_table
    from assay.cli.report import write
    from assay.cli.sweep import carry_out, plan
    from assay.models.base import ModelSettings
    from assay.runs.spec import Caps
    from assay.scoring.render import shown
    from assay.scoring.scores import load_scores
    from assay.scoring.tables import agents as agents_table
    from assay.scoring.tables import cells, normalised_improvement

    click.echo(f"Agents {AGENTS} on three research tasks, {STEPS} experiments each, no model and no key.")
    sweep = plan(
        agents=AGENTS,
        tasks=TASKS,
        models=["offline"],
        seeds=1,
        caps=Caps(steps=STEPS),
        total=Caps(),
        settings=ModelSettings(),
        preset=None,
        parameters=(),
        out=out,
        replay=None,
    )
    states = carry_out(sweep, os.cpu_count() or 1, quiet=False)
    if any(state.status != "finished" for state in states):
        raise SystemExit(130 if any(state.status == "interrupted" for state in states) else 1)
    scores = load_scores(out)
    grid = cells(scores)
    for title, heads, rows in shown([normalised_improvement(grid), agents_table(scores, grid)]):
        click.echo()
        print_table(title, heads, rows)
    page = out / "report.html"
    write(out, page)
    click.echo(f"\nThe whole search, step by step: open {page}")
    click.echo(f"Or live:                        assay view {out}")
    click.echo(
        "Your own sweep:                 assay run --agent all --task fml-mini-lite --steps 60 --seeds 3 --jobs 2"
    )
