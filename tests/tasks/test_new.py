"""`assay task new`: what it leaves is sound, and a wrong call leaves nothing."""

from pathlib import Path

import pytest

from assay.errors import UsageError
from assay.evaluation.check import check_task
from assay.sandbox.client import Sandbox
from assay.tasks.load import load_task
from assay.tasks.new import new_task


def test_a_new_task_passes_the_whole_check(tmp_path: Path, sandbox: Sandbox) -> None:
    new_task(tmp_path / "mine", "my/task")
    task = load_task(tmp_path / "mine")
    report = check_task(task, sandbox)
    assert task.id == "my/task"
    assert [row for row in report.rows if not row.passed] == []
    assert len(report.rows) >= 20


def test_an_empty_folder_will_do(tmp_path: Path) -> None:
    new_task(tmp_path, "mine")
    assert load_task(tmp_path).id == "mine"


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="is there already"):
        new_task(tmp_path, "my/task")
    assert [p.name for p in tmp_path.iterdir()] == ["thesis.txt"]


@pytest.mark.parametrize("id", ["", "My Task", "a/b/c", "../up", 'a"\nb = "c'])
def test_a_wrong_id_leaves_nothing(tmp_path: Path, id: str) -> None:
    with pytest.raises(UsageError, match="is not a task id"):
        new_task(tmp_path / "mine", id)
    assert list(tmp_path.iterdir()) == []
