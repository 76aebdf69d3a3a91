"""Prompts from templates: strict about names, and with fences for texts from outside."""

import re
from functools import cache
from pathlib import Path
from typing import Any

import jinja2


def render_from(folder: Path, name: str, **context: Any) -> str:
    """A template of the folder, filled in. Raises jinja2.UndefinedError for a name that is not given."""
    return _templates(folder).get_template(f"{name}.j2").render(**context).strip() + "\n"


def fenced(text: str) -> str:
    """The text between fences that it cannot close from inside: longer than any run of backticks in it."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}\n{text.rstrip()}\n{fence}"


@cache
def _templates(folder: Path) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # prompts are no HTML; texts from outside are fenced instead
    )
    environment.globals["fenced"] = fenced
    environment.filters["ticked"] = lambda path: f"`{path}`"
    return environment
