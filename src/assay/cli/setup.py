"""`assay setup`: what a suite or a task needs and may not bring along."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from assay.errors import AssayError, UsageError

if TYPE_CHECKING:
    from assay.tasks.load import Task

BRIEFS = ("mlr",)


@click.command()
@click.argument("name")
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="A folder of the originals, packed or not; for a suite, one with a folder of its task's name for each.",
)
def command(name: str, source: Path | None) -> None:
    """Get what the suite or task NAME needs, from a local copy or from its publisher, and check it.

    Texts of a suite of briefs are compared with the published ones. Data of a task is split, its labels are kept apart,
    and the starter is measured on it.
    """
    if name in BRIEFS:
        _load_texts(name, source)
        return
    tasks = _tasks(name)
    if len(tasks) == 1:
        _set_up(tasks[0], source)
        return
    failed = 0
    for task in tasks:
        folder = source / task.id.partition("/")[2] if source else None
        try:
            if folder and not folder.is_dir():
                raise UsageError(f"{folder} is not there", "it should hold the originals of this task")
            _set_up(task, folder)
        except AssayError as error:
            failed += 1
            click.echo(f"{task.id}: {error.message}\n  {error.hint}", err=True)
    click.echo(f"{len(tasks) - failed} of {len(tasks)} tasks are set up")
    raise SystemExit(1 if failed else 0)


def _load_texts(suite: str, source: Path | None) -> None:
    from assay.research.briefs import brief_suites
    from assay.research.texts import load_texts

    if source is None:
        raise UsageError(
            f"the texts of '{suite}' are loaded from a copy of yours", f"assay setup {suite} --from FOLDER"
        )
    loaded = load_texts(suite, {brief.name: brief.sha256 for brief in brief_suites()[suite].briefs}, source)
    click.echo(f"{loaded.count} texts of '{suite}' are in {loaded.folder}; count and hashes are right")
    if loaded.ignored:
        click.echo(f"of no task, and left where they are: {', '.join(loaded.ignored)}")


def _tasks(name: str) -> "list[Task]":
    from assay.errors import unknown
    from assay.tasks.suites import find_task, suites, task_ids

    known = suites()
    names = known[name].tasks if name in known else (name,) if name in task_ids() else ()
    if not names:
        raise unknown("suite or task", name, [*BRIEFS, *known, *task_ids()], "assay list tasks")
    found = [task for task in map(find_task, names) if task.spec.source]
    if not found:
        raise UsageError(f"there is nothing to set up for '{name}'", "it is ready: assay list tasks")
    return found


def _set_up(task: "Task", source: Path | None) -> None:
    from assay.evaluation.setup import set_up
    from assay.sandbox.client import Sandbox
    from assay.tasks.installed import Installed

    with Sandbox(task.spec.preload, task.spec.hidden) as sandbox:
        measured = set_up(task, sandbox, source)
    click.echo(f"{task.id}: data is in {Installed(task.id).root}")
    click.echo(f"  starter here: {task.spec.metric.name} {measured.val:.4g} on val, {measured.test:.4g} on test")
