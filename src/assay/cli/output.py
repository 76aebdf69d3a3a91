"""How commands speak: tables for people, JSON for machines."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")


def print_json(value: Any) -> None:
    """One JSON document. Numbers that JSON does not know are written as null."""
    click.echo(json.dumps(_plain(value), indent=2, ensure_ascii=False))


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table that fits the terminal, or plain wide columns where there is none."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        # Text: what an agent or a task author wrote is never read as markup
        table.add_row(*(Text(cell) for cell in row))
    console().print(table)


def console(stderr: bool = False) -> "Console":
    from rich.console import Console

    terminal = Console(stderr=stderr)
    return terminal if terminal.is_terminal else Console(stderr=stderr, width=160, highlight=False)


def number(value: float | None) -> str:
    """A figure for people: four significant digits, and a dash for none."""
    return "–" if value is None else f"{value:.4g}"


def _plain(value: Any) -> Any:
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
