"""Loading a task: every mistake in a folder is named with its file, its key and a cure."""

from pathlib import Path

import pytest

from assay.errors import UsageError
from assay.tasks.load import load_task
from assay.tasks.new import new_task
from assay.tasks.suites import find_task, select_tasks, suites


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    new_task(tmp_path / "task", "my/task")
    return tmp_path / "task"


@pytest.mark.parametrize("name", ["task.toml", "prompt.md", "perform.py", "grader.py", "workspace/algorithm.py"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    with pytest.raises(UsageError) as caught:
        load_task(folder)
    assert name in caught.value.message
    assert caught.value.hint


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (('direction = "min"', 'direction = "down"'), "metric.direction"),
        (('title = "Curves from noisy points"', ""), "'title': add this key"),
        (("seconds = 10", "minutes = 10"), "limits.minutes"),
        (('editable = ["algorithm.py"]', 'editable = ["../algorithm.py"]'), "must be a path below workspace/"),
        (('{ "algorithm.py" = ', '{ "other.py" = '), "'other.py' is not among the editable files"),
        (("schema = 1", "schema = 2"), "schema"),
        (("[metric]", "[metric"), "not valid TOML"),
    ],
)
def test_a_wrong_key_is_named_with_its_file(folder: Path, change: tuple[str, str], said: str) -> None:
    spec = folder / "task.toml"
    assert change[0] in spec.read_text()
    spec.write_text(spec.read_text().replace(*change))
    with pytest.raises(UsageError) as caught:
        load_task(folder)
    assert said in caught.value.message
    assert "task.toml" in caught.value.message


def test_a_solution_may_leave_files_out_and_a_candidate_may_not(folder: Path) -> None:
    (folder / "solutions" / "idle").mkdir()
    task = load_task(folder)
    assert task.solutions["idle"] == task.baseline
    with pytest.raises(UsageError, match=r"algorithm\.py is missing"):
        task.candidate_from(folder / "solutions" / "idle")


def test_what_can_change_a_result_changes_the_digest(folder: Path) -> None:
    before = load_task(folder).digest
    (folder / "NOTES.md").write_text("other notes")
    assert load_task(folder).digest == before
    (folder / "grader.py").write_text((folder / "grader.py").read_text() + "\n")
    assert load_task(folder).digest != before


def test_tasks_are_found_by_id_suite_and_folder(folder: Path) -> None:
    assert find_task("fml-mini/fairness_fairlearn").id == "fml-mini/fairness_fairlearn"
    chosen = select_tasks(f"fml-mini/fairness_fairlearn, {folder}, fml-mini/fairness_fairlearn")
    assert [task.id for task in chosen] == ["fml-mini/fairness_fairlearn", "my/task"]
    assert "fml-mini" in suites()


def test_an_unknown_task_comes_with_the_nearest_names() -> None:
    with pytest.raises(UsageError) as caught:
        find_task("fml-mini/fairnes_fairlearn")
    assert "fml-mini/fairness_fairlearn" in caught.value.hint
