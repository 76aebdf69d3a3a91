"""`assay export`: results for other tools."""

from pathlib import Path
from typing import Literal

import click


@click.command()
@click.argument("results", type=click.Path(path_type=Path), default=Path("results"))
@click.option(
    "--format",
    "form",
    type=click.Choice(["fmlbench", "mlab", "csv", "json", "parquet"]),
    required=True,
    help="fmlbench: the folders its scorer reads; mlab: MLAgentBench's traces, snapshots and evaluations; the others: "
    "one row a step, or a run.",
)
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), required=True, help="Folder for fmlbench and mlab, else a file."
)
@click.option("--rows", type=click.Choice(["steps", "runs"]), default="steps", show_default=True, help="Of a file.")
def command(
    results: Path,
    form: Literal["fmlbench", "mlab", "csv", "json", "parquet"],
    out: Path,
    rows: Literal["steps", "runs"],
) -> None:
    """Write RESULTS for other tools."""
    from assay.cli.score import say_what_is_left_out
    from assay.scoring.scores import load_scores

    scores = load_scores(results)
    if form == "fmlbench":
        from assay.scoring.exchange.fmlbench_export import export_fmlbench

        written = export_fmlbench(scores, out)
        click.echo(f"{len(written)} runs written to {out}")
    elif form == "mlab":
        from assay.scoring.exchange.mlab_export import export_mlab

        written = export_mlab(scores, out)
        click.echo(f"{len(written)} runs written to {out}")
    else:
        from assay.scoring.frames import run_columns, step_columns, write_columns

        columns = step_columns(scores) if rows == "steps" else run_columns(scores)
        write_columns(columns, out, form)
        click.echo(f"{len(columns['run'])} {rows} written to {out}")
    say_what_is_left_out(scores)
