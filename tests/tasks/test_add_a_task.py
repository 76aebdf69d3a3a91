"""docs/add-a-task.md, carried out: its files are written and its commands run, in the order of the page."""

import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

from pydantic import BaseModel

from assay.tasks.spec import TaskSpec

PAGE = Path(__file__).parents[2] / "docs" / "add-a-task.md"
Assay = Callable[..., subprocess.CompletedProcess[str]]


def test_every_file_and_command_of_the_page_works(assay: Assay, tmp_path: Path) -> None:
    commands = 0
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```$", PAGE.read_text(), re.S | re.M):
        if language == "console":
            for line in block.splitlines():
                words, _, comment = line.removeprefix("$ ").partition("#")
                done = assay(*shlex.split(words)[1:])
                expected = 1 if "ends with 1" in comment else 0
                assert done.returncode == expected, f"{line}\n{done.stdout[-3000:]}\n{done.stderr[-2000:]}"
                commands += 1
        else:
            name, _, content = block.partition("\n")
            file = tmp_path / name.removeprefix("# ")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
    assert commands == 14


def test_every_key_of_a_task_is_on_the_page() -> None:
    page = PAGE.read_text()
    missing = [key for key in _keys(TaskSpec) if f"`{key}`" not in page and f"[{key}]" not in page]
    assert missing == []


def _keys(model: type[BaseModel]) -> list[str]:
    """The names of a model's fields as they stand in TOML, and those of the models inside it."""
    found = []
    for name, field in model.model_fields.items():
        found.append(field.alias or name)
        for part in (field.annotation, *getattr(field.annotation, "__args__", ())):
            if isinstance(part, type) and issubclass(part, BaseModel):
                found += _keys(part)
    return found
