"""`assay report`: one self-contained page."""

from pathlib import Path

import click


@click.command()
@click.argument("results", type=click.Path(path_type=Path), default=Path("results"))
@click.option("-o", "--out", type=click.Path(path_type=Path), default=Path("report.html"), show_default=True)
@click.option(
    "--embedder", default="tokens", show_default=True, help="Measures exploration."
)
def command(results: Path, out: Path, embedder: str) -> None:
    """Write one page about RESULTS: who is better, is it noise, how did each search, what did it cost, is it true.

    The file needs no network and opens from disk.
    """
    scores = write(results, out, embedder)
    click.echo(f"{out}: {len(scores)} runs, {out.stat().st_size / 1e6:.1f} MB")


def write(results: Path, out: Path, embedder: str = "tokens") -> tuple[object, ...]:
    """Write the page and name what could not be read on standard error."""
    from assay.cli.score import say_what_is_left_out
    from assay.embedding.registry import open_embedder
    from assay.errors import UsageError
    from assay.report.static import write_report
    from assay.runs.record import run_folders

    if out.is_dir():
        raise UsageError(f"{out} is a folder", "name a file: -o report.html")
    run_folders(results)
    scores = write_report(results, out, open_embedder(embedder, None, results / ".cache" / "embeddings"))
    say_what_is_left_out(scores)
    return scores.runs
