"""`assay evaluate`: one candidate by hand."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.output import json_option, number, print_json

if TYPE_CHECKING:
    from assay.tasks.outcome import Outcome, Split
    from assay.tasks.spec import Metric


@click.command()
@click.argument("task")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--split", type=click.Choice(["val", "test"]), default="val", show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@json_option
def command(task: str, folder: Path, split: "Split", seed: int, as_json: bool) -> None:
    """Evaluate the candidate in FOLDER (the task's editable files) in the same sandbox as a run, and print its outcome.

    Exits with 1 if the evaluation ends in a failure.
    """
    from assay.cli.isolation import warn_if_open
    from assay.errors import UsageError
    from assay.evaluation.evaluate import Evaluator
    from assay.sandbox.client import Sandbox
    from assay.tasks.suites import find_task

    found = find_task(task)
    if not folder.is_dir():
        raise UsageError(f"{folder} is not a folder", f"it should hold: {', '.join(found.spec.editable)}")
    candidate = found.candidate_from(folder)
    with Sandbox(found.spec.preload, found.spec.hidden) as sandbox:
        warn_if_open(sandbox.isolation)
        outcome = Evaluator(found, sandbox, seed).evaluate(candidate, split)
    if as_json:
        print_json({"task": found.id, "split": split, "seed": seed, **outcome.model_dump(mode="json")})
    else:
        _print(outcome, found.spec.metric)
    raise SystemExit(0 if outcome.ok else 1)


def _print(outcome: "Outcome", metric: "Metric") -> None:
    blame = f" (blame: {outcome.blame})" if outcome.blame else ""
    click.echo(f"{outcome.kind}{blame}" + (f": {outcome.message}" if outcome.message else ""))
    for name, value in outcome.metrics.items():
        stderr = f" ± {number(outcome.stderrs[name])}" if name in outcome.stderrs else ""
        arrow = {"max": " ↑", "min": " ↓"}[metric.direction] if name == metric.name else ""
        click.echo(f"  {name}{arrow} = {value:.6g}{stderr}")
    for c in outcome.constraints:
        click.echo(f"  constraint {c.metric} {c.op} {c.limit:.6g}: {'holds' if c.holds else 'broken'} ({c.value:.6g})")
    clock = outcome.clock
    click.echo(f"  {clock.seconds:.2f} s, {clock.cpu_seconds:.2f} CPU s, {clock.peak_mb:.0f} MB")
    if outcome.log_tail.strip():
        click.echo("  log:")
        for line in outcome.log_tail.strip().splitlines():
            click.echo(f"    {line}")
