"""Suites: named sets of tasks, found in the package and by path."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from assay.errors import UsageError, unknown
from assay.tasks.load import Task, load_task
from assay.tasks.original.task import is_original, load_original

SUITES = Path(__file__).parent.parent / "suites"


@dataclass(frozen=True)
class Suite:
    """suites/<name>/suite.toml: title, and either the folders beside it or a list of task ids of other suites."""

    name: str
    title: str
    tasks: tuple[str, ...]


@cache
def suites() -> dict[str, Suite]:
    """All suites by name, in alphabetical order."""
    found = {}
    for file in sorted(SUITES.glob("*/suite.toml")):
        table = tomllib.loads(file.read_text())
        own = tuple(f"{file.parent.name}/{p.parent.name}" for p in sorted(file.parent.glob("*/task.toml")))
        found[file.parent.name] = Suite(file.parent.name, table["title"], own + tuple(table.get("tasks", ())))
    return found


def task_ids() -> list[str]:
    """Every task of every suite, once."""
    return sorted({task for suite in suites().values() for task in suite.tasks})


def find_task(name: str) -> Task:
    """A task by id, or by the path of its folder. Raises UsageError with the nearest names."""
    if name in task_ids():
        return load_task(SUITES / name, name)
    folder = Path(name)
    if folder.is_dir():
        return load_original(folder) if is_original(folder) else load_task(folder)
    raise unknown("task", name, task_ids(), "assay list tasks")


def select_tasks(names: str) -> list[Task]:
    """Tasks by a comma-separated list of suites, task ids and folders, in that order and each once.

    Raises UsageError for a task that is not there, or needs what is not on this machine.
    """
    chosen: dict[str, Task] = {}
    for name in filter(None, (part.strip() for part in names.split(","))):
        suite = suites().get(name)
        if suite is None and "/" not in name and not Path(name).is_dir():
            raise unknown("suite or task", name, [*suites(), *task_ids()], "assay list tasks")
        for item in suite.tasks if suite else (name,):
            task = find_task(item)
            task.require()
            chosen.setdefault(task.id, task)
    if not chosen:
        raise UsageError("no task was named", "all tasks: assay list tasks")
    return list(chosen.values())
