"""`assay run --estimate`: what a sweep would cost at most."""

import click

from assay.cli.output import print_json, print_table
from assay.engines.base import Sweep
from assay.models.usage import Usage
from assay.runs.estimate import estimate


def print_estimate(sweep: Sweep, as_json: bool) -> None:
    """An upper bound for every agent and model, and for all together. Nothing is asked and nothing is written."""
    bounds: dict[tuple[str, str], list[Usage]] = {}
    for spec in sweep.specs:
        bounds.setdefault((spec.agent, spec.model), []).append(estimate(spec))
    sums = {key: sum(found, Usage()) for key, found in bounds.items()}
    total = sum(sums.values(), Usage())
    if as_json:
        rows = [{"agent": agent, "model": model, **usage.model_dump()} for (agent, model), usage in sums.items()]
        print_json({"at_most": rows, "total": total.model_dump(), "sweep_cap_usd": sweep.caps.usd})
        return
    columns = ["agent", "model", "runs", "calls", "tokens", "dollars"]
    print_table(
        "At most, with every repair needed and every answer as long as it may be",
        columns,
        [[*key, str(len(bounds[key])), *_cells(usage)] for key, usage in sums.items()],
    )
    calls, tokens, dollars = _cells(total)
    click.echo(f"all: {calls} calls, {tokens} tokens, {dollars}")
    if total.usd is None:
        click.echo("a price is not known: the bound is in tokens alone")
    elif sweep.caps.usd is not None:
        click.echo(f"--total-usd ends the sweep at ${sweep.caps.usd:.2f} and at most one call per job more")


def _cells(usage: Usage) -> list[str]:
    dollars = "unknown" if usage.usd is None else f"${usage.usd:.2f}"
    return [str(usage.calls), f"{usage.tokens / 1e6:.2f} M", dollars]
