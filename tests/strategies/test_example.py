"""The example of docs/add-an-agent.md is run as it stands there."""

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from assay.tasks.new import new_task

PAGE = Path(__file__).parents[2] / "docs" / "add-an-agent.md"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    agent, test = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(agent.splitlines()) < 40
    (tmp_path / "patient.py").write_text(agent)
    (tmp_path / "test_patient.py").write_text(test)
    return tmp_path


def test_the_example_conforms(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(folder))
    runpy.run_path(str(folder / "test_patient.py"))["test_patient"]()


def assay(folder: Path, *call: str) -> str:
    """What a command prints, called from a folder that Python does not import from by itself."""
    program = "from assay.cli.main import main; main()"
    done = subprocess.run([sys.executable, "-P", "-c", program, *call], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_example_runs_on_a_landscape_with_its_parameter(folder: Path) -> None:
    call = ("--agent", "patient:Patient", "--landscape", "dense", "--runs", "3", "--steps", "20", "--json")
    assert json.loads(assay(folder, "simulate", *call, "patient:Patient.patience=3"))[0]["agent"] == "patient"


def test_the_example_runs_on_a_task(folder: Path) -> None:
    new_task(folder / "task", "mine/task")
    assay(folder, "run", "--agent", "patient:Patient", "--task", "task", "--steps", "3")
    (run,) = (folder / "results" / "runs").iterdir()
    events = [json.loads(line) for line in (run / "events.jsonl").read_text().splitlines()]
    assert events[-1]["type"] == "finished" and events[-1]["reason"] == "steps"
    assert sum(event["type"] == "stepped" for event in events) == 4
