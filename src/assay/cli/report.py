"""`assay report`: one self-contained page."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.judging.audit.model import Audit

RESULTS = Path("results")


@click.command()
@click.argument("results", type=click.Path(path_type=Path), required=False)
@click.option("-o", "--out", type=click.Path(path_type=Path), default=Path("report.html"), show_default=True)
@click.option("--embedder", help="Measures exploration.  [default: tokens, unless that would take minutes]")
@click.option(
    "--research",
    "folders",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Audit the research in this folder, or in each of its folders, too. May be given several times.",
)
def command(results: Path | None, out: Path, embedder: str | None, folders: tuple[Path, ...]) -> None:
    """Write one page about RESULTS: who is better, is it noise, how did each search, what did it cost, is it true.

    RESULTS is `results` if it is not named; with --research it may be missing, and the page shows audits alone. The
    file needs no network and opens from disk.
    """
    from assay.errors import UsageError
    from assay.report.audits import audit_all
    from assay.report.static import write_audits

    if out.is_dir():
        raise UsageError(f"{out} is a folder", "name a file: -o report.html")
    audits = audit_all(folders)
    shown = []
    if results is not None or not audits or (RESULTS / "runs").is_dir():
        shown.append(f"{len(write(results or RESULTS, out, embedder, audits))} runs")
    else:
        write_audits(out, audits)
    if audits:
        shown.append(f"{len(audits)} research folders, {sum(done.flagged for done in audits)} flagged")
    click.echo(f"{out}: {', '.join(shown)}, {out.stat().st_size / 1e6:.1f} MB")


def write(results: Path, out: Path, embedder: str | None = None, audits: "Sequence[Audit]" = ()) -> tuple[object, ...]:
    """Write the page and name what could not be read on standard error."""
    from assay.cli.score import say_what_is_left_out
    from assay.embedding.registry import open_embedder
    from assay.report.static import affordable_embedder, write_report
    from assay.runs.record import run_folders

    run_folders(results)
    chosen = (
        open_embedder(embedder, None, results / ".cache" / "embeddings") if embedder else affordable_embedder(results)
    )
    scores = write_report(results, out, chosen, audits)
    say_what_is_left_out(scores)
    if chosen is None:
        click.echo(
            f"assay: exploration is not measured; it takes a while: assay report {results} --embedder tokens", err=True
        )
    return scores.runs
