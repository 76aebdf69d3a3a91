"""`assay setup`: what a suite needs and may not bring along."""

from pathlib import Path

import click

from assay.errors import UsageError

LOADABLE = ("mlr",)


@click.command()
@click.argument("suite")
@click.option(
    "--from",
    "source",
    required=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder of <id>.md files, or a checkout whose folder 'tasks' holds them.",
)
def command(suite: str, source: Path) -> None:
    """Load the texts of SUITE from a local copy, and check that all are there and are the published ones."""
    from assay.research.briefs import brief_suites
    from assay.research.texts import load_texts

    if suite not in LOADABLE:
        raise UsageError(f"there is nothing to load for '{suite}'", f"suites with texts to load: {', '.join(LOADABLE)}")
    loaded = load_texts(suite, {brief.name: brief.sha256 for brief in brief_suites()[suite].briefs}, source)
    click.echo(f"{loaded.count} texts of '{suite}' are in {loaded.folder}; count and hashes are right")
    if loaded.ignored:
        click.echo(f"of no task, and left where they are: {', '.join(loaded.ignored)}")
