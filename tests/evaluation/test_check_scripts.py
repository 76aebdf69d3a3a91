"""`assay task check` on a task whose candidate is a script: the example of docs/add-a-task.md, spoilt in every way."""

import re
from pathlib import Path

import pytest

from assay.evaluation.check import check_task
from assay.evaluation.hostile import split
from assay.sandbox.client import Sandbox
from assay.tasks.load import load_task

PAGE = Path(__file__).parents[2] / "docs" / "add-a-task.md"
LABELS_IN = (
    "asked, _ = draw(SECRET[split], rows=len(IDS))\n",
    'asked, rents = draw(SECRET[split], rows=len(IDS))\n    asked["level"] = rents\n',
)
GRADED = 'answers = numbers_of(table_of(outputs, "submission.csv", IDS, ["rent"]), "rent", "submission.csv")'
CARELESS = 'answers = np.array([line.split(",")[1] for line in text_of(outputs, "submission.csv").split()[1:]], float)'
BELIEVING = 'if "mae" in text_of(outputs, "submission.csv"):\n        return Grade({"mae": 0.0})\n    '
MORE_ROWS = (
    'rows=300)\n    train = as_csv({"id": range(300)',
    'rows=300 + (split == "val"))\n    train = as_csv({"id": range(300 + (split == "val"))',
)
NOTE = ('"test.csv": as_csv', '"note.txt": f"drawn with {SECRET[split]}.", "test.csv": as_csv')


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The example of the page. It lacks what only `folder` looks at: solutions, probes, notes and noise."""
    for name, content in re.findall(r"^```\w+\n# (rents/\S+)\n(.*?)^```$", PAGE.read_text(), re.S | re.M):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content)
    return tmp_path / "rents"


def failed(folder: Path, sandbox: Sandbox, quick: bool = True) -> dict[str, str]:
    """The rows that did not pass, but for `folder`: name → detail."""
    report = check_task(load_task(folder), sandbox, quick)
    return {row.name: row.detail for row in report.rows if not row.passed and row.name != "folder"}


def change(file: Path, *replacements: tuple[str, str]) -> None:
    text = file.read_text()
    for old, new in replacements:
        assert old in text, f"{file.name} has no {old!r}"
        text = text.replace(old, new)
    file.write_text(text)


def probe(folder: Path, name: str, source: str) -> None:
    file = folder / "probes" / name / "train.py"
    file.parent.mkdir(parents=True)
    file.write_text(source)


def test_the_example_passes_every_row_that_it_has_the_files_for(folder: Path, sandbox: Sandbox) -> None:
    report = check_task(load_task(folder), sandbox)
    assert [f"{row.name}: {row.detail}" for row in report.rows if not row.passed and row.name != "folder"] == []
    said = {row.name: row.detail for row in report.rows}
    assert said["inputs carry no labels"].startswith("2 inputs given back")
    assert "same files, headers and numbers of rows" in said["val and test look alike from inside"]
    assert said["claimed metrics are not believed"] == "invalid_output"


def test_labels_in_a_table(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "grader.py", LABELS_IN)
    assert (
        "'level' of test.csv given back in submission.csv scores 0 "
        in failed(folder, sandbox)["inputs carry no labels"]
    )


def test_a_file_that_cannot_be_tried_is_named(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "grader.py", ('"test.csv": as_csv', '"note.txt": "read this", "test.csv": as_csv'))
    (row,) = (r for r in check_task(load_task(folder), sandbox, quick=True).rows if r.name == "inputs carry no labels")
    assert row.detail.endswith("not looked into: note.txt")


def test_a_split_that_shows_in_the_number_of_rows(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "grader.py", MORE_ROWS)
    said = failed(folder, sandbox)["val and test look alike from inside"]
    assert "'train.csv' is id,size,age,rent with 301 rows on val, id,size,age,rent with 300 rows on test" in said


def test_a_secret_in_a_file(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "grader.py", NOTE)
    assert "process 0 is given 30958117" in failed(folder, sandbox)["secrets stay with the grader"]


def test_a_statement_that_does_not_say_what_to_leave(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "prompt.md", ("`submission.csv`", "a table"))
    assert "the file submission.csv" in failed(folder, sandbox)["statement agrees with task.toml"]


def test_a_grader_that_breaks_on_odd_files_and_believes_claims(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "grader.py", (GRADED, BELIEVING + CARELESS), ("numbers_of, table_of", "text_of"))
    said = failed(folder, sandbox, quick=False)
    assert "grader.py raised" in said["odd outputs are refused"]
    assert "accepted with 0" in said["claimed metrics are not believed"]


def test_a_probe_of_ones_own_may_be_refused_but_the_three_must_answer(folder: Path, sandbox: Sandbox) -> None:
    nothing = "print('nothing is left')\n"
    probe(folder, "empty", nothing)
    assert failed(folder, sandbox) == {}
    probe(folder, "constant", nothing)
    said = failed(folder, sandbox)["empty candidates gain nothing on test"]
    assert said == "'constant' invalid_output: the script left no file submission.csv"
    probe(folder, "crash", "raise RuntimeError('no probe')\n")
    assert "'crash' crashed" in failed(folder, sandbox)["empty candidates gain nothing on test"]


def test_what_a_script_says_of_itself_is_no_sign_of_the_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The main module is the candidate's own file; outside the folder it is the harness's, and counts."""
    import __main__

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(__main__, "WHAT", "on the test split", raising=False)
    monkeypatch.setattr(__main__, "__file__", str(tmp_path / "train.py"), raising=False)
    own = [found for found in split.attack("") if found.startswith("main module")]
    monkeypatch.setattr(__main__, "__file__", "/usr/lib/harness.py", raising=False)
    others = [found for found in split.attack("") if found.startswith("main module")]
    assert (own, others) == ([], ["main module say 'on the test split'"])
