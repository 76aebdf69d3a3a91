"""Results as MLAgentBench leaves them: read back as its own evaluator would read them."""

import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from assay.environments.actions.catalogue import CATALOGUE
from assay.errors import AssayError, UsageError
from assay.scoring.exchange.mlab_export import export_mlab
from assay.scoring.scores import load_scores

Call = Callable[..., subprocess.CompletedProcess[str]]
SCRIPT, STARTER = "algorithm.py", "def fit(x, y):\n    return 0.0\n"


@pytest.fixture
def interactive(journals: ModuleType) -> Any:
    """A run that reads, writes, runs, is misread once, validates, deletes a file and submits."""
    turn, step = journals.Turn, journals.Step
    turns = [
        turn(
            "Inspect Script Lines",
            {"script_name": SCRIPT},
            "Lines 1 to 2",
            primitives=[("Read File", {"file_name": SCRIPT}, STARTER)],
        ),
        turn("Write File", {"file_name": "notes/a.txt"}, "written", changes={"notes/a.txt": "a"}, said="Thought: note"),
        turn("", "no JSON", "ActionInputParsingError: no", "format", said="Action: Write"),
        turn(
            "Execute Script", {}, "accuracy 0.6", ran=SCRIPT, exit_code=0, changes={SCRIPT: "x = 2\n", "out.csv": "1"}
        ),
        turn("Validate", {}, "", step=step(0.55, files={SCRIPT: "x = 2\n"})),
        turn("Validate", {}, "", step=step(None, "crashed", files={SCRIPT: "x = 3\n"}), changes={"out.csv": None}),
        turn(
            "Final Answer",
            {"final_answer": "Done."},
            "end",
            "end",
            ends="submitted",
            step=step(0.6, files={SCRIPT: "x = 4\n"}),
        ),
    ]
    return journals.Run(
        agent="react",
        task="mlab/house-price",
        seed=3,
        turns=turns,
        prompt="Improve it.",
        reason="submitted",
        submitted=3,
        test=0.65,
    )


def exported(tmp_path: Path, journals: ModuleType, *runs: Any) -> Path:
    for run in runs:
        journals.write_run(tmp_path / "results", run)
    export_mlab(load_scores(tmp_path / "results"), tmp_path / "out")
    return tmp_path / "out"


def texts(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_text() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_the_trace_has_its_four_fields(tmp_path: Path, journals: ModuleType, interactive: Any) -> None:
    root = exported(tmp_path, journals, interactive) / "react" / "house-price" / "seed_3" / "env_log"
    trace = json.loads((root / "trace.json").read_text())
    assert set(trace) == {"steps", "low_level_steps", "action_infos", "task_description"}
    names = [step["action"]["name"] for step in trace["steps"]]
    # the answer that could not be read never reached the environment
    assert names == ["Inspect Script Lines", "Write File", "Execute Script", "Validate", "Validate", "Final Answer"]
    assert all(set(step) == {"action", "observation", "timestamp"} for step in trace["steps"])
    assert trace["steps"][1]["action"]["args"] == {"file_name": "notes/a.txt"}
    assert trace["steps"][3]["observation"] == "Validation: acc 0.55"
    assert trace["steps"][4]["observation"] == "Validation failed: crashed: it crashed"
    assert trace["steps"][-1]["observation"] == "end"
    times = [step["timestamp"] for step in trace["steps"]]
    assert times == sorted(times)
    (low,) = trace["low_level_steps"]
    assert low["action"] == {"name": "Read File", "args": {"file_name": SCRIPT}} and low["observation"] == STARTER
    assert list(trace["action_infos"]) == list(CATALOGUE)
    fields = {"name", "description", "usage", "return_value", "function", "is_primitive"}
    assert all(set(info) == fields for info in trace["action_infos"].values())
    assert "house" in trace["task_description"].lower()


def test_snapshots_hold_the_writable_files_after_each_step(
    tmp_path: Path, journals: ModuleType, interactive: Any
) -> None:
    root = exported(tmp_path, journals, interactive) / "react" / "house-price" / "seed_3" / "env_log" / "traces"
    assert sorted(p.name for p in root.iterdir()) == [*(f"step_{n}_files" for n in range(6)), "step_final_files"]
    assert texts(root / "step_0_files") == {SCRIPT: STARTER}
    assert texts(root / "step_1_files") == {SCRIPT: STARTER, "notes/a.txt": "a"}
    assert texts(root / "step_2_files") == {SCRIPT: "x = 2\n", "notes/a.txt": "a", "out.csv": "1"}
    last = {SCRIPT: "x = 2\n", "notes/a.txt": "a"}
    assert texts(root / "step_4_files") == texts(root / "step_final_files") == last
    assert (root / "step_5_files" / SCRIPT).stat().st_nlink == 5  # steps 2 to 5 and the end share it


def test_the_evaluation_file_has_their_fields(tmp_path: Path, journals: ModuleType, interactive: Any) -> None:
    out = exported(tmp_path, journals, interactive, replace(interactive, seed=4, test=None, test_kind="crashed"))
    told = json.loads((out / "react_house-price.json").read_text())
    path = "react/house-price/seed_3/env_log/trace.json"
    assert list(told) == [path, path.replace("3", "4")]
    assert (out / path).exists()
    assert told[path] == {
        "path": path,
        "summary": "",
        "rubric_questions": {},
        "submitted_final_answer": True,
        "score": [0.55, 0.0, 0.65],
        "score_steps": [3, 4],
        "final_score": 0.65,
        "total_time": pytest.approx(10.0),
        "error": "",
        "extra": {
            "oom_error": False,
            "connection_error": False,
            "error": False,
            "json_error": False,
            "long_prompt_error": False,
        },
    }
    failed = told[path.replace("3", "4")]
    # its agent is to blame, so it is no error that would take the run out of their figures
    assert (failed["score"], failed["final_score"], failed["error"]) == ([0.55, 0.0], -1.0, "")
    root = (out / path).parent
    assert float((root / "overall_time.txt").read_text()) == pytest.approx(10.0)
    assert not (root / "error.txt").exists()


def test_the_transcript_has_every_turn(tmp_path: Path, journals: ModuleType, interactive: Any) -> None:
    log = (exported(tmp_path, journals, interactive) / "react/house-price/seed_3/agent_log/main_log").read_text()
    assert "Improve it." in log and "ActionInputParsingError: no" in log
    assert [line for line in log.splitlines() if line.startswith("Step ")] == [f"Step {n}:" for n in range(7)]


def test_errors_are_told_in_their_words(tmp_path: Path, journals: ModuleType, interactive: Any) -> None:
    turn = journals.Turn
    failing = turn("Edit Script (AI)", {}, "LLMError: no answer", "model")
    long = turn("Understand File", {}, "EnvError: too long input for the tool", "error")
    memory = turn("Execute Script", {}, "CUDA out of memory", ran=SCRIPT, exit_code=1)
    misread = turn(kind="format", retries=2)
    closed = turn("", {}, "closed", "closed", ends="turns")
    run = replace(interactive, turns=[memory, misread, long, failing, closed], reason="turns", submitted=0)
    out = exported(tmp_path, journals, run)
    ((path, told),) = json.loads((out / "react_house-price.json").read_text()).items()
    assert all(told["extra"].values()), told["extra"]
    assert told["submitted_final_answer"] is False
    assert (out / path).parent.joinpath("error.txt").read_text() == told["error"] != ""


def test_a_search_agent_has_a_trace_without_steps(tmp_path: Path, journals: ModuleType) -> None:
    steps = [journals.Step(0.6, files={SCRIPT: "x = 1\n"}), journals.Step(None, "crashed"), journals.Step(0.55)]
    out = exported(tmp_path, journals, journals.Run(agent="aide", steps=steps, test=0.65))
    ((path, told),) = json.loads((out / "aide_made-up-easy.json").read_text()).items()
    assert (told["score"], told["score_steps"], told["submitted_final_answer"]) == (
        [0.6, 0.0, 0.55, 0.65],
        [0, 1, 2],
        False,
    )
    trace = json.loads((out / path).read_text())
    assert (trace["steps"], trace["low_level_steps"], trace["task_description"]) == ([], [], "made-up/easy")
    assert texts((out / path).parent / "traces" / "step_final_files") == {SCRIPT: "x = 1\n"}


def test_models_and_tasks_of_one_name_stay_apart(tmp_path: Path, journals: ModuleType, interactive: Any) -> None:
    two = [replace(interactive, model=f"openai:{name}") for name in ("large", "small")]
    elsewhere = replace(interactive, task="somewhere/else/house-price")
    out = exported(tmp_path, journals, *two, elsewhere)
    assert len(list(out.glob("*/house-price/*/env_log/trace.json"))) == 3


@pytest.mark.parametrize("path", ["../out.txt", "/tmp/out.txt", "a/../../b"])
def test_a_path_out_of_the_workspace_is_refused(
    tmp_path: Path, journals: ModuleType, interactive: Any, path: str
) -> None:
    bad = replace(interactive, turns=[journals.Turn(changes={path: "x"}), *interactive.turns])
    with pytest.raises(AssayError, match="not a path within a workspace"):
        exported(tmp_path, journals, bad)


def test_the_command_refuses_a_folder_that_is_not_empty(
    assay: Call, tmp_path: Path, journals: ModuleType, interactive: Any
) -> None:
    journals.write_run(tmp_path / "results", interactive)
    done = assay("export", "results", "--format", "mlab", "-o", "there")
    assert (done.returncode, done.stdout) == (0, "1 runs written to there\n"), done.stderr
    assert assay("export", "results", "--format", "mlab", "-o", "there").returncode == 2
    with pytest.raises(UsageError):
        export_mlab(load_scores(tmp_path / "results"), tmp_path / "there")
