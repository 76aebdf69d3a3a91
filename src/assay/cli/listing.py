"""`assay list`: what there is."""

from typing import TYPE_CHECKING

import click

from assay.cli.output import json_option, print_json, print_table
from assay.errors import UsageError

if TYPE_CHECKING:
    from assay.tasks.load import Task

Row = dict[str, str | int | float]


@click.command()
@click.argument("what", type=click.Choice(["suites", "tasks", "agents", "embedders"]))
@json_option
def command(what: str, as_json: bool) -> None:
    """List suites, tasks, agents or embedders."""
    rows = {"suites": _suites, "tasks": _tasks, "agents": _agents, "embedders": _embedders}[what]()
    if as_json:
        print_json(rows)
        return
    columns = list(rows[0]) if rows else []
    print_table("", columns, [[str(row[column]) for column in columns] for row in rows])


def _suites() -> list[Row]:
    from assay.tasks.suites import suites

    return [{"suite": s.name, "tasks": len(s.tasks), "title": s.title} for s in suites().values()]


def _tasks() -> list[Row]:
    from assay.tasks.suites import find_task, task_ids

    rows: list[Row] = []
    for name in task_ids():
        task = find_task(name)
        spec = task.spec
        arrow = "↑" if spec.metric.direction == "max" else "↓"
        facts: Row = {"task": spec.id, "area": spec.area, "metric": f"{spec.metric.name} {arrow}", "title": spec.title}
        rows.append({**facts, "needs": _needs(task)})
    return rows


def _needs(task: "Task") -> str:
    """What is not on this machine yet and how to get it, in one line; nothing for a task that is ready."""
    try:
        task.require()
    except UsageError as error:
        return f"assay setup {task.id}" if task.spec.source else error.message
    return ""


def _agents() -> list[Row]:
    from assay.runs.agents import agents

    return [{"agent": a.name, "source": a.source, "summary": a.summary} for a in agents().values()]


def _embedders() -> list[Row]:
    from assay.embedding.registry import embedders

    return [{"embedder": e.name, "available": e.available, "summary": e.summary} for e in embedders()]
