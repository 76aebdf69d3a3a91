"""`assay noise`: how much a task's baseline varies over seeds."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from assay.cli.output import json_option, number, print_json, print_table

if TYPE_CHECKING:
    from assay.tasks.outcome import Split


@click.command()
@click.argument("task")
@click.option("--repeats", type=click.IntRange(min=2), default=20, show_default=True, help="Seeds to measure.")
@json_option
def command(task: str, repeats: int, as_json: bool) -> None:
    """Evaluate the baseline of TASK with several seeds; a gain below two standard deviations of it may be noise."""
    from assay.scoring.noise import as_noise, as_toml, measure_noise
    from assay.tasks.suites import find_task

    found = find_task(task)
    val, test = measure_noise(found, repeats, _say)
    if sys.stderr.isatty():
        click.echo("\r\033[K", err=True, nl=False)
    if as_json:
        print_json({"task": found.id, "repeats": repeats, "val": asdict(val), "test": asdict(test)})
        return
    rows = [
        [m.split, number(m.mean), number(min(m.values)), number(max(m.values)), number(m.sd), number(m.floor)]
        for m in (val, test)
    ]
    heads = ["split", "mean", "smallest", "largest", "standard deviation", "noise floor (normalised)"]
    print_table(f"{found.id}: {found.spec.metric.name} of the baseline over {repeats} seeds", heads, rows)
    click.echo(f"\nfor task.toml:\n\n{as_toml(as_noise(val, test))}", nl=False)


def _say(split: "Split", done: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{split}: {done} seeds", err=True, nl=False)
