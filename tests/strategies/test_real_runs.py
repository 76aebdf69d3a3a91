"""Every strategy in a real run: offline proposer, sandboxed evaluation, journal, and a resume from the middle of it."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.runs.run import Sandboxes, carry_out
from assay.runs.session import Control
from assay.runs.spec import Caps, RunSpec
from assay.strategies.registry import BUILT_IN, find_strategy
from assay.tasks.load import Task

STEPS = 16


@pytest.fixture(scope="module")
def sandboxes() -> Iterator[Sandboxes]:
    with Sandboxes() as opened:
        yield opened


def without_clocks(lines: list[str]) -> list[dict]:
    return [{key: value for key, value in json.loads(line).items() if key != "clock"} for line in lines]


@pytest.mark.parametrize("agent", [name for name in BUILT_IN if find_strategy(name).proposer == "model"])
def test_it_improves_a_task_and_continues_where_it_was_cut(
    agent: str, tiny_task: Task, sandboxes: Sandboxes, tmp_path: Path
) -> None:
    params = find_strategy(agent).Params().model_dump(mode="json")
    spec = RunSpec(agent=agent, params=params, task=str(tiny_task.paths.root), caps=Caps(steps=STEPS))
    finished = carry_out(spec, tmp_path / "whole", sandboxes, Control())
    assert finished.reason in ("steps", "strategy") and finished.best > 0
    shutil.copytree(tmp_path / "whole", tmp_path / "cut")
    journal = tmp_path / "cut" / "runs" / spec.run_id / "events.jsonl"
    lines = journal.read_text().splitlines()
    journal.write_text("\n".join(lines[: len(lines) // 2]) + "\n")
    carry_out(spec, tmp_path / "cut", sandboxes, Control())
    assert without_clocks(journal.read_text().splitlines()) == without_clocks(lines)
