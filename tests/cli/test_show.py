"""`assay show`: a real search in the terminal."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.report.terminal import layout, visible
from assay.runs.blobs import Blobs

TASK = "fml-mini/fairness_fairlearn"
RUN = "autoresearch__fml-mini-fairness_fairlearn__offline__s0"
Assay = Callable[..., "CompletedProcess[str]"]


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One run of three steps, made by the command line itself."""
    import subprocess
    import sys

    folder = tmp_path_factory.mktemp("show")
    words = ["run", "--agent", "autoresearch", "--task", TASK, "--steps", "3", "--out", str(folder / "results")]
    subprocess.run([sys.executable, "-m", "assay", *words], check=True, capture_output=True, timeout=300)
    return folder / "results"


def test_the_tree_has_every_step_with_its_metric_or_its_failure(assay: Assay, results: Path) -> None:
    done = assay("show", RUN, "--results", results)
    lines = done.stdout.splitlines()
    steps = json.loads(assay("show", RUN, "--results", results, "--json").stdout)["steps"]
    assert done.returncode == 0, done.stderr
    assert lines[0].startswith(f"autoresearch · {TASK} · offline · seed 0")
    assert len(lines) == 1 + len(steps) == 5
    for step in steps:
        line = next(each for each in lines[1:] if f" {step['step']} " in each)
        assert (step["outcome"] if step["value"] is None else f"{step['value']:.6g}") in line


def test_a_step_is_printed_with_its_diff_and_also_as_json(assay: Assay, results: Path) -> None:
    done = assay("show", "autoresearch", "--results", results, "--step", "1")
    assert done.returncode == 0, done.stderr
    assert "--- algorithm.py (step 0)\n+++ algorithm.py (step 1)\n@@ " in done.stdout
    step = json.loads(assay("show", results / "runs" / RUN, "--step", "1", "--json").stdout)
    assert step["diff"] in done.stdout
    assert step["files"]["algorithm.py"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nobody",), "no run 'nobody'"),
        (("autoresearch", "--step", "99"), "its steps are 0 to 3"),
        (("fairness",), "is a part of 2 runs"),
    ],
)
def test_mistakes_are_sentences(assay: Assay, results: Path, words: tuple[str, ...], said: str) -> None:
    other = results / "runs" / f"{RUN}-copy"
    if words == ("fairness",):
        other.mkdir()
        (other / "run.json").write_text((results / "runs" / RUN / "run.json").read_text())
    done = assay("show", *words, "--results", results)
    if other.exists():
        (other / "run.json").unlink()
        other.rmdir()
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_what_an_agent_wrote_cannot_command_the_terminal(assay: Assay, results: Path) -> None:
    journal = results / "runs" / RUN / "events.jsonl"
    kept = journal.read_text()
    lines = kept.splitlines()
    at = next(i for i, line in enumerate(lines) if json.loads(line)["type"] == "proposed")
    event = json.loads(lines[at])
    code = Blobs(results / "blobs").put("\x1b]0;title\x07\x1b[2J[bold red]x[/] \u202e\n")
    event |= {"description": "\x1b[2J[red]markup[/red]\u202e", "files": {"algorithm.py": code}}
    journal.write_text("\n".join([*lines[:at], json.dumps(event), *lines[at + 1 :], ""]))
    shown = assay("show", RUN, "--results", results).stdout
    opened = assay("show", RUN, "--results", results, "--step", "1").stdout
    journal.write_text(kept)
    assert "\\x1b[2J[red]markup[/red]\\u202e" in shown
    assert "+\\x1b]0;title\\x07\\x1b[2J[bold red]x[/] \\u202e" in opened
    assert "\x1b" not in shown + opened


@given(st.text())
def test_visible_text_has_no_character_that_a_terminal_obeys(text: str) -> None:
    shown = visible(text)
    assert all(c in "\n\t" or c.isprintable() or c.isspace() for c in shown)
    assert visible(shown) == shown


@given(st.lists(st.integers(0, 1_000_000), max_size=60))
def test_every_step_is_drawn_once_and_below_its_parent(choices: list[int]) -> None:
    parents = {i: choice % i for i, choice in enumerate(choices, start=1)}
    drawn = [step for step, _ in layout(parents)]
    assert sorted(drawn) == [0, *parents]
    assert all(drawn.index(parent) < drawn.index(step) for step, parent in parents.items())


def test_a_long_lineage_stays_in_its_column() -> None:
    assert {prefix for _, prefix in layout({i: i - 1 for i in range(1, 2000)})} == {""}
