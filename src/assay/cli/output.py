"""How commands speak: tables for people, JSON for machines."""

import json
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON for machines.")


def print_json(value: Any) -> None:
    """One JSON document. Numbers that JSON does not know are written as null."""
    click.echo(json.dumps(_plain(value), indent=2, ensure_ascii=False))


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table that fits the terminal, or plain columns as wide as they are where there is none."""
    if not sys.stdout.isatty():
        click.echo("\n".join(_columns(title, [list(columns), *map(list, rows)])))
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", header_style="bold", box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        # Text: what an agent or a task author wrote is never read as markup
        table.add_row(*(Text(cell) for cell in row))
    console().print(table)


def _columns(title: str, rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Nothing is folded or cut: whoever reads a pipe wants one line a row."""
    if title:
        yield title
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.replace("\n", " ").ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(cells).rstrip()


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
