"""The command lines of docs/research.md are ones that the commands accept."""

import re
import shlex
from pathlib import Path

import click
import pytest

from assay.cli.research import command as research
from assay.cli.setup import command as setup

DOCS = Path(__file__).parents[2] / "docs" / "research.md"
TEXT = DOCS.read_text(encoding="utf-8").replace("\\\n  ", "")
LINES = re.findall(r"^assay (research|setup) (.+?)(?:  +.*)?$", TEXT, re.MULTILINE)


def test_there_are_examples() -> None:
    assert len(LINES) == 10


@pytest.mark.parametrize(("name", "rest"), LINES)
def test_an_example_is_accepted(name: str, rest: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("research/rare_class", "path/to/mlrbench"):
        (tmp_path / folder).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    words = shlex.split(re.sub(r" (how far|suites|the briefs|a brief|all stages).*", "", rest))
    if name == "setup":
        setup.make_context("setup", words)
        return
    found = research.get_command(click.Context(research), words[0])
    assert found is not None
    found.make_context(words[0], words[1:])
