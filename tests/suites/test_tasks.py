"""Every task of every suite, looked at in the quick form of `assay task check`."""

from collections.abc import Callable

import pytest

from assay.evaluation.check import check_task
from assay.sandbox.client import Sandbox
from assay.tasks.load import Task
from assay.tasks.suites import SUITES, find_task, suites

TASKS = sorted(f"{file.parents[1].name}/{file.parent.name}" for file in SUITES.glob("*mini*/*/task.toml"))


@pytest.mark.parametrize("name", TASKS)
def test_a_task_is_sound(name: str, warm: Callable[[Task], Sandbox]) -> None:
    task = find_task(name)
    report = check_task(task, warm(task), quick=True)
    assert [f"{row.name}: {row.detail}" for row in report.rows if not row.passed] == []


@pytest.mark.parametrize("name", TASKS)
def test_a_task_has_what_a_study_needs(name: str) -> None:
    task = find_task(name)
    assert task.id == name
    assert len(task.solutions) >= 2
    assert task.spec.sources
    assert task.spec.data
    assert (task.spec.fmlbench is not None) == name.startswith("fml-mini/")


def test_fml_mini_has_every_question_of_fml_bench() -> None:
    specs = [find_task(name).spec for name in suites()["fml-mini"].tasks]
    assert len(specs) == 18
    assert len({spec.fmlbench.task for spec in specs if spec.fmlbench}) == 18
    assert len({spec.area.lower() for spec in specs}) == 10


def test_the_lite_suite_is_part_of_the_whole() -> None:
    assert len(suites()["fml-mini-lite"].tasks) == 8
    assert set(suites()["fml-mini-lite"].tasks) < set(suites()["fml-mini"].tasks)


def test_tasks_that_import_the_same_share_a_fork_server() -> None:
    assert len({find_task(name).spec.preload for name in suites()["fml-mini"].tasks}) == 1
