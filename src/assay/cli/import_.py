"""`assay import`: results of other tools."""

from pathlib import Path

import click


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.option("--format", "form", type=click.Choice(["fmlbench"]), required=True)
@click.option("--out", type=click.Path(path_type=Path), default=Path("results"), show_default=True)
@click.option(
    "--checkout",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Working copy of the benchmark, for the baselines' code and results.",
)
def command(source: Path, form: str, out: Path, checkout: Path | None) -> None:
    """Read the results in SOURCE into journals, so that they can be scored and shown here.

    Exits with 1 if something could not be read.
    """
    from assay.scoring.exchange.fmlbench_import import import_fmlbench

    done = import_fmlbench(source, out, checkout)
    click.echo(f"{len(done.runs)} runs imported into {out}")
    for folder, reason in done.skipped.items():
        click.echo(f"assay: {folder} was left out: {reason}", err=True)
    if done.skipped:
        raise SystemExit(1)
