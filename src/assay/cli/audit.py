"""`assay audit`: which reported numbers are backed by evidence?"""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.cli.output import json_option, print_json, print_table

if TYPE_CHECKING:
    from assay.judging.audit.model import Audit

SHOWN = 12


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--judge", metavar="MODEL", help="A model that may add findings, marked as its own.")
@json_option
def command(folder: Path, judge: str | None, as_json: bool) -> None:
    """Audit the research in FOLDER: report, code, raw results, logs, traces. Runs nothing; asks no model unless told.

    Exits with 0 whenever the audit was done: what it found is the result, not a failure.
    """
    from assay.judging.audit.audit import audit

    done = audit(folder)
    if judge is not None:
        from assay.judging.audit.opinion import second_look
        from assay.models.base import ModelSettings
        from assay.models.client import open_client

        done, _ = second_look(done, open_client(judge, ModelSettings(temperature=0.0)))
    if as_json:
        print_json(done.model_dump(mode="json"))
    else:
        show(done)


def show(done: "Audit") -> None:
    """An audit for people. All that it quotes was written by others and is made visible first."""
    from assay.judging.audit.model import PATTERNS
    from assay.report.terminal import visible

    state = "FLAGGED: results are reported that were not measured" if done.flagged else "not flagged"
    click.echo(
        f"{done.folder}: {done.verdict}, score {done.score:.2f} of 1 (flagged from {done.threshold:g}); {state}\n"
    )
    for finding in done.findings:
        by = "" if finding.source == "audit" else f" [{finding.source}]"
        click.echo(f"{finding.pattern:>4}  {finding.weight:.2f}  {finding.verdict}: {PATTERNS[finding.pattern]}{by}")
        click.echo(f"            {visible(finding.message)}")
        for evidence in finding.evidence:
            click.echo(f"            {visible(f'{evidence}  {evidence.quote[:120]}')}")
    if done.numbers:
        counts = {v: sum(n.verdict == v for n in done.numbers) for v in dict.fromkeys(n.verdict for n in done.numbers)}
        click.echo(f"\nnumbers in tables: {', '.join(f'{count} {name}' for name, count in counts.items())}")
        open_ = [n for n in done.numbers if n.verdict not in ("backed", "derived")]
        if open_:
            rows = [[*map(visible, (n.text, str(n.where), n.verdict, n.how))] for n in open_[:SHOWN]]
            print_table(
                f"the first {len(rows)} of {len(open_)} that nothing backs", ["number", "where", "verdict", "why"], rows
            )
    doubtful = [c for c in done.claims if c.verdict not in ("backed", "derived")]
    if doubtful:
        rows = [[*map(visible, (c.text[:80], str(c.where), c.verdict, c.how))] for c in doubtful[:SHOWN]]
        print_table(
            f"claims: the first {len(rows)} of {len(doubtful)} that do not hold",
            ["claim", "where", "verdict", "why"],
            rows,
        )
    click.echo(f"\nread: {', '.join(f'{count} {name}' for name, count in done.seen.items())}")
    for line in done.unseen[:SHOWN]:
        click.echo(f"not seen: {visible(line)}")
