"""`assay task`: is a task sound, and how to start one."""

from pathlib import Path

import click

from assay.cli.output import json_option, print_json, print_table


@click.group()
def command() -> None:
    """Check a task, or start a new one."""


@command.command()
@click.argument("tasks", nargs=-1)
@click.option("--suite", help="Check every task of a suite.")
@click.option("--quick", is_flag=True, help="Leave out what takes longest: hostile probes and repeated seeds.")
@json_option
def check(tasks: tuple[str, ...], suite: str | None, quick: bool, as_json: bool) -> None:
    """Tell whether TASKS are sound: the baseline reproduces, solutions beat it on test, nothing leaks, limits hold.

    TASKS are ids or folders. Exits with 1 if anything fails.
    """
    from assay.cli.isolation import warn_if_open
    from assay.errors import UsageError
    from assay.evaluation.check import check_task
    from assay.runs.run import Sandboxes
    from assay.sandbox.isolation import probe
    from assay.tasks.suites import select_tasks

    if not tasks and not suite:
        raise UsageError("no task was named", "name tasks or folders, or a suite: assay task check --suite fml-mini")
    chosen = select_tasks(",".join([*tasks, *([suite] if suite else [])]))
    warn_if_open(probe())
    with Sandboxes() as sandboxes:
        reports = []
        for task in chosen:
            report = check_task(task, sandboxes.for_task(task), quick=quick)
            reports.append(report)
            if not as_json:
                rows = [["ok" if row.passed else "FAILED", row.name, row.detail] for row in report.rows]
                print_table(report.task, ["", "check", "detail"], rows)
    if as_json:
        print_json([report.model_dump(mode="json") for report in reports])
    else:
        sound = sum(report.passed for report in reports)
        click.echo(f"{sound} of {len(reports)} tasks are sound")
    raise SystemExit(0 if all(report.passed for report in reports) else 1)


@command.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--id", "task_id", help="The task's id; made from the folder's name unless given.")
def new(folder: Path, task_id: str | None) -> None:
    """Start a task in FOLDER: a small one that passes `assay task check`, to be changed into yours."""
    from assay.tasks.new import new_task

    new_task(folder, task_id or f"my/{folder.name}")
    click.echo(f"{folder}: a task that passes its check. Next:")
    click.echo(f"  assay task check {folder}")
    click.echo(f"  assay run --agent autoresearch --task {folder} --steps 20")
