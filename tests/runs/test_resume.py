"""Resume is replay: wherever a run was cut, continuing it gives the journal of an undisturbed run."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from assay.errors import AssayError, UsageError
from assay.runs.run import Sandboxes, carry_out
from assay.runs.session import Control, Interrupted, Progress
from assay.runs.spec import Caps, RunSpec
from assay.strategies.registry import build_params, find_strategy
from assay.tasks.load import Task, load_task


@pytest.fixture(scope="module")
def sandboxes() -> Any:
    with Sandboxes() as opened:
        yield opened


def spec_for(agent: str, task: Task, **changes: Any) -> RunSpec:
    params = build_params(find_strategy(agent), None, {}).model_dump(mode="json")
    return RunSpec(agent=agent, params=params, task=task.name, caps=Caps(steps=6)).model_copy(update=changes)


def without_clocks(results: Path) -> dict[str, list[dict[str, Any]]]:
    """Every run's events but for their clocks, and no cut line."""
    found = {}
    for file in sorted(results.glob("runs/*/events.jsonl")):
        lines = file.read_text().splitlines(keepends=True)
        assert all(line.endswith("\n") for line in lines)
        found[file.parent.name] = [{k: v for k, v in json.loads(line).items() if k != "clock"} for line in lines]
    return found


def test_two_runs_of_the_same_seed_are_the_same(tiny_task: Task, sandboxes: Sandboxes, tmp_path: Path) -> None:
    spec = spec_for("autoresearch", tiny_task)
    for name in ("a", "b"):
        carry_out(spec, tmp_path / name, sandboxes, Control())
    assert without_clocks(tmp_path / "a") == without_clocks(tmp_path / "b")
    assert {p.name for p in (tmp_path / "a" / "blobs").rglob("*")} == {
        p.name for p in (tmp_path / "b" / "blobs").rglob("*")
    }


@pytest.mark.parametrize("agent", ["autoresearch", "oracle", "aide"])
def test_a_run_cut_after_any_event_continues_to_the_same_journal(
    agent: str, tiny_task: Task, sandboxes: Sandboxes, tmp_path: Path
) -> None:
    spec = spec_for(agent, tiny_task)
    carry_out(spec, tmp_path / "whole", sandboxes, Control())
    expected = without_clocks(tmp_path / "whole")
    events = next((tmp_path / "whole").glob("runs/*/events.jsonl"))
    lines = events.read_text().splitlines(keepends=True)
    for kept in range(len(lines)):
        cut = tmp_path / f"cut{kept}"
        shutil.copytree(tmp_path / "whole", cut)
        half = lines[kept][: len(lines[kept]) // 2]  # a kill in the middle of a write
        (cut / events.relative_to(tmp_path / "whole")).write_text("".join(lines[:kept]) + half)
        carry_out(spec, cut, sandboxes, Control())
        assert without_clocks(cut) == expected


def test_an_interrupt_leaves_a_run_that_continues(tiny_task: Task, sandboxes: Sandboxes, tmp_path: Path) -> None:
    spec = spec_for("autoresearch", tiny_task)
    carry_out(spec, tmp_path / "whole", sandboxes, Control())
    seen: list[Progress] = []
    with pytest.raises(Interrupted):
        carry_out(spec, tmp_path / "cut", sandboxes, Control(seen.append, lambda: len(seen) == 3))
    assert len(seen) == 3
    carry_out(spec, tmp_path / "cut", sandboxes, Control())
    assert without_clocks(tmp_path / "cut") == without_clocks(tmp_path / "whole")


def test_a_finished_run_is_not_run_again(tiny_task: Task, sandboxes: Sandboxes, tmp_path: Path) -> None:
    spec = spec_for("nop", tiny_task)
    carry_out(spec, tmp_path, sandboxes, Control())
    before = next(tmp_path.glob("runs/*/events.jsonl")).read_bytes()
    carry_out(spec, tmp_path, sandboxes, Control())
    assert next(tmp_path.glob("runs/*/events.jsonl")).read_bytes() == before


def test_a_journal_of_another_path_is_refused(tiny_task: Task, sandboxes: Sandboxes, tmp_path: Path) -> None:
    spec = spec_for("autoresearch", tiny_task)
    carry_out(spec, tmp_path, sandboxes, Control())
    events = next(tmp_path.glob("runs/*/events.jsonl"))
    lines = [json.loads(line) for line in events.read_text().splitlines()]
    changed = next(line for line in lines if line["type"] == "proposed")
    changed["request"]["parents"] = [5]
    events.write_text("".join(json.dumps(line) + "\n" for line in lines[: lines.index(changed) + 1]))
    with pytest.raises(AssayError, match="cannot be continued"):
        carry_out(spec, tmp_path, sandboxes, Control())


def test_a_task_that_has_changed_is_refused(tiny_task: Task, sandboxes: Sandboxes, tmp_path: Path) -> None:
    root = tmp_path / "task"
    shutil.copytree(tiny_task.paths.root, root)
    spec = spec_for("nop", load_task(root))
    carry_out(spec, tmp_path / "out", sandboxes, Control())
    (root / "grader.py").write_text((root / "grader.py").read_text() + "\nBONUS = 1\n")
    with pytest.raises(UsageError, match="has changed since"):
        carry_out(spec, tmp_path / "out", sandboxes, Control())
