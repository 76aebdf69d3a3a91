"""`assay report`: one self-contained page."""

from pathlib import Path

import click


@click.command()
@click.argument("results", type=click.Path(path_type=Path), default=Path("results"))
@click.option("-o", "--out", type=click.Path(path_type=Path), default=Path("report.html"), show_default=True)
@click.option("--embedder", help="Measures exploration.  [default: tokens, unless that would take minutes]")
def command(results: Path, out: Path, embedder: str | None) -> None:
    """Write one page about RESULTS: who is better, is it noise, how did each search, what did it cost, is it true.

    The file needs no network and opens from disk.
    """
    scores = write(results, out, embedder)
    click.echo(f"{out}: {len(scores)} runs, {out.stat().st_size / 1e6:.1f} MB")


def write(results: Path, out: Path, embedder: str | None = None) -> tuple[object, ...]:
    """Write the page and name what could not be read on standard error."""
    from assay.cli.score import say_what_is_left_out
    from assay.embedding.registry import open_embedder
    from assay.errors import UsageError
    from assay.report.static import affordable_embedder, write_report
    from assay.runs.record import run_folders

    if out.is_dir():
        raise UsageError(f"{out} is a folder", "name a file: -o report.html")
    run_folders(results)
    chosen = (
        open_embedder(embedder, None, results / ".cache" / "embeddings") if embedder else affordable_embedder(results)
    )
    scores = write_report(results, out, chosen)
    say_what_is_left_out(scores)
    if chosen is None:
        click.echo(
            f"assay: exploration is not measured; it takes a while: assay report {results} --embedder tokens", err=True
        )
    return scores.runs
