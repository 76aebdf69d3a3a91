"""`assay score`: what runs are worth and how they searched."""

import gc
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.output import json_option, print_json, print_table

if TYPE_CHECKING:
    from assay.scoring.scores import Scores
    from assay.scoring.tables import Table


@click.command()
@click.argument("results", type=click.Path(path_type=Path), default=Path("results"))
@click.option("--embedder", help="Measure exploration by this embedder: tokens, graphcodebert or minilm.")
@click.option("--embedder-path", help="Folder or hub name of the embedder's model.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder for the CSV and JSON files.  [default: RESULTS/scores]"
)
@click.option(
    "--scoring",
    type=click.Choice(["assay", "legacy-mlab"]),
    default="assay",
    show_default=True,
    help="legacy-mlab: MLAgentBench's published rules and constants, for its tasks, in place of all else.",
)
@json_option
def command(
    results: Path, embedder: str | None, embedder_path: str | None, out: Path | None, scoring: str, as_json: bool
) -> None:
    """Tables from the journals of RESULTS: raw performance, normalised improvement, process metrics, agents; success
    and error classes of interactive agents and of MLAgentBench's tasks.

    Damaged journals are named and left out; the command then ends with exit code 1.
    """
    # a short process that makes many small objects and few cycles: looking for garbage costs more than it finds
    gc.disable()
    from assay.embedding.registry import open_embedder
    from assay.scoring.correlation import correlations
    from assay.scoring.render import as_plain, shown, shown_correlations, write_tables
    from assay.scoring.scores import load_scores

    chosen = open_embedder(embedder, embedder_path, results / ".cache" / "embeddings") if embedder else None
    scores = load_scores(results, chosen)
    tables = _tables(scores, scoring)
    related = correlations(scores) if scoring == "assay" else []
    files = write_tables(tables, out or results / "scores")
    if as_json:
        print_json(
            {
                "tables": [as_plain(table) for table in tables],
                "correlations": [asdict(each) for each in related],
                "damaged": [asdict(each) for each in scores.damaged],
            }
        )
    else:
        grids = [*shown(tables), *([shown_correlations(related, scores.embedder)] if scoring == "assay" else [])]
        for title, heads, rows in grids:
            print_table(title, heads, rows)
            click.echo()
        click.echo(f"{len(scores.finished)} finished runs; tables in {files[0].parent}")
    say_what_is_left_out(scores)
    if scores.damaged:
        raise SystemExit(1)


def _tables(scores: "Scores", scoring: str) -> "list[Table]":
    if scoring == "legacy-mlab":
        from assay.scoring.mlab.legacy import legacy_table

        return [legacy_table(scores)]
    from assay.scoring.mlab.tables import mlab_tables
    from assay.scoring.tables import main_tables

    return [*main_tables(scores), *mlab_tables(scores)]


def say_what_is_left_out(scores: "Scores") -> None:
    """Name on stderr every run that enters no table, and why."""
    for damage in scores.damaged:
        click.echo(f"assay: {damage.message}\n  {damage.hint}", err=True)
    unfinished = [run.run_id for run in scores.runs if not run.finished and not run.cut]
    if unfinished:
        click.echo(f"assay: unfinished, and in no table: {', '.join(unfinished)}", err=True)
