"""`assay doctor`: what this machine offers."""

import os
from typing import Any

import click

from assay.cli.output import json_option, print_json


@click.command()
@json_option
def command(as_json: bool) -> None:
    """Show what this machine offers: isolation, engines, models, embedders, and what is missing."""
    facts = _facts()
    if as_json:
        print_json(facts)
        return
    isolation = facts["isolation"]
    click.echo(f"isolation: {isolation['level']}")
    for measure in isolation["measures"]:
        click.echo(f"  + {measure}")
    for reason in isolation["missing"]:
        click.echo(f"  - {reason}")
    click.echo("engines:")
    for name, state in facts["engines"].items():
        click.echo(f"  {name}: {state}")
    click.echo("models:")
    for name, state in facts["models"].items():
        click.echo(f"  {name}: {state}")
    click.echo("embedders:")
    for name, state in facts["embedders"].items():
        click.echo(f"  {name}: {state}")
    click.echo("machine:")
    for name, value in {**facts["machine"], **facts["versions"]}.items():
        click.echo(f"  {name}: {value}")


def _facts() -> dict[str, Any]:
    from assay.embedding.registry import embedders
    from assay.models.names import KEY_VARIABLES
    from assay.runs.machine import machine, versions
    from assay.sandbox.isolation import probe

    keys = {
        name: "key set" if any(map(os.environ.get, variables)) else f"no key: set {variables[0]}"
        for name, variables in KEY_VARIABLES.items()
    }
    return {
        "isolation": probe().model_dump(),
        "engines": {"local": f"{os.cpu_count()} cores"},
        "models": {"offline": "built in, needs no key", **keys},
        "embedders": {e.name: e.available for e in embedders()},
        "machine": machine(),
        "versions": versions(),
    }
