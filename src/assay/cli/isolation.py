"""Saying loudly what does not protect this machine."""

import click

from assay.sandbox.job import Isolation


def warn_if_open(isolation: Isolation) -> None:
    """Nothing for full isolation; otherwise what is missing, on standard error."""
    if isolation.level == "full":
        return
    if isolation.level == "none":
        click.secho("assay: WARNING: candidates run WITHOUT ISOLATION on this machine:", err=True, fg="red", bold=True)
        click.echo("  they can read your files and use your network; run only code that you trust", err=True)
    else:
        click.secho("assay: warning: isolation is partial on this machine:", err=True, fg="yellow")
    for reason in isolation.missing:
        click.echo(f"  {reason}", err=True)
