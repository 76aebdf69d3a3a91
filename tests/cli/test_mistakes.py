"""A wrong call: one clear sentence, exit 2, no traceback, nothing written."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Call = Callable[..., subprocess.CompletedProcess[str]]

RUN = ("run", "--agent", "nop", "--task", "fml-mini/fairness_fairlearn")
REACT = ("run", "--agent", "react", "--task", "fml-mini/fairness_fairlearn")
LOCAL = "openai-compatible:some@http://127.0.0.1:9/v1"
WRONG = {
    "unknown command": (("rnu",), "no command 'rnu'", "nearest: run"),
    "no agent": (("run", "--task", "fml-mini"), "--agent", "assay run --help"),
    "unknown agent": (("run", "--agent", "autoreserch", "--task", "fml-mini"), "no agent", "nearest: autoresearch"),
    "unknown task": (("run", "--agent", "nop", "--task", "fml-mini/fairnes"), "no task", "fairness_fairlearn"),
    "unknown suite": (("run", "--agent", "nop", "--task", "fml-mni"), "no suite or task", "fml-mini"),
    "empty task": (("run", "--agent", "nop", "--task", ","), "no task was named", "assay list tasks"),
    "unknown parameter": ((*RUN, "nop.depth=3"), "no parameter 'nop.depth'", ""),
    "parameter of another agent": ((*RUN, "aide.num_drafts=3"), "no agent in this sweep 'aide'", "nop"),
    "not a parameter": ((*RUN, "depth"), "'depth' is not a parameter", "agent.parameter=value"),
    "parameter of a wrong type": (
        ("run", "--agent", "aide", "--task", "fml-mini/fairness_fairlearn", "aide.num_drafts=many"),
        "aide.num_drafts",
        "",
    ),
    "negative steps": ((*RUN, "--steps", "-1"), "--steps", ""),
    "steps not a number": ((*RUN, "--steps", "many"), "--steps", ""),
    "unknown preset": ((*RUN, "--preset", "fmlbnch"), "no preset", "fmlbench"),
    "model without provider": (
        ("run", "--agent", "autoresearch", "--task", "fml-mini/fairness_fairlearn", "--model", "gpt"),
        "'gpt' is not the name of a model",
        "provider:model",
    ),
    "missing key": (
        ("run", "--agent", "autoresearch", "--task", "fml-mini/fairness_fairlearn", "--model", "openai:gpt-5.4"),
        "OPENAI_API_KEY",
        "",
    ),
    "interactive: a command for another agent": ((*REACT, "--command", "x"), "--command is for", "--agent command"),
    "interactive: a permission for another agent": ((*REACT, "--allow-network"), "--allow-network is for", "command"),
    "interactive: a program that is not named": (
        ("run", "--agent", "command", "--task", "fml-mini/fairness_fairlearn"),
        "needs a program",
        "--command",
    ),
    "interactive: unknown parameter": ((*REACT, "react.max_turn=3"), "no parameter 'react.max_turn'", "max_turns"),
    "interactive: no turn at all": ((*REACT, "react.max_turns=0"), "react.max_turns=0", "max_turns=50"),
    "interactive: unknown action": (
        (*REACT, "react.actions_add_to_prompt=Vaildate"),
        "there is no action 'Vaildate'",
        "actions_add_to_prompt",
    ),
    "interactive: a helper that is no model": ((*REACT, "react.fast_model=gpt"), "'gpt' is not the name", "provider"),
    "interactive: a bound that nobody knows": (
        (*REACT, "--estimate", "--model", LOCAL),
        "what 'react' can cost at most is not known",
        "--max-usd",
    ),
    "evaluate: unknown task": (("evaluate", "fml-mini/none", "."), "no task 'fml-mini/none'", "assay list tasks"),
    "evaluate: no folder": (
        ("evaluate", "fml-mini/fairness_fairlearn", "nowhere"),
        "nowhere is not a folder",
        "algorithm.py",
    ),
    "evaluate: file missing": (("evaluate", "fml-mini/fairness_fairlearn", "."), "algorithm.py is missing", "editable"),
    "evaluate: unknown split": (("evaluate", "fml-mini/fairness_fairlearn", ".", "--split", "train"), "--split", ""),
    "list: unknown thing": (("list", "dragons"), "dragons", ""),
    "task check: nothing named": (("task", "check"), "no task was named", "--suite"),
    "task check: not a task": (("task", "check", "."), "it has no task.toml", "assay task new"),
    "score: no results": (("score", "nowhere"), "nowhere", ""),
    "report: no results": (("report", "nowhere"), "nowhere", ""),
    "show: no results": (("show", "nowhere"), "results holds no runs", "assay run"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_call_is_answered_with_a_sentence(case: str, assay: Call, tmp_path: Path) -> None:
    words, sentence, cure = WRONG[case]
    done = assay(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("assay: ")
    assert sentence in done.stderr and cure in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_task_file_with_a_wrong_key_is_named_with_its_cure(assay: Call, tmp_path: Path) -> None:
    assert assay("task", "new", "mine").returncode == 0
    file = tmp_path / "mine" / "task.toml"
    file.write_text(file.read_text().replace("direction =", "directoin ="))
    done = assay("task", "check", "mine")
    assert done.returncode == 2
    assert "task.toml" in done.stderr and "metric.directoin" in done.stderr and "not known" in done.stderr
