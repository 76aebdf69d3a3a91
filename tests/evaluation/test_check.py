"""`assay task check` notices each thing that can be wrong with a task, and names it."""

from pathlib import Path

import pytest

from assay.evaluation.check import check_task
from assay.evaluation.hostile import datasets, files, leftovers, results, split, stack
from assay.sandbox.client import Sandbox
from assay.tasks.load import load_task
from assay.tasks.new import new_task

LABELS_IN = ('"x_eval": x_eval, "seed": seed}', '"x_eval": x_eval, "answers": np.ravel(truth), "seed": seed}')
FLAT_OUT = ("x_eval in curves])}", "x_eval in curves]).ravel()}")
FLAT_GRADE = ('numbers(outputs, "values", (CURVES, PLACES))', 'numbers(outputs, "values", (800,)).reshape(4, 200)')
TRUTH = ("x, y, x_eval, _ = _draw(split, seed)\n    return", "x, y, x_eval, truth = _draw(split, seed)\n    return")
CARELESS = ('numbers(outputs, "values", (CURVES, PLACES))', 'np.array(outputs["values"])')
BELIEVING = ("_, _, _, truth", 'if "claim" in outputs:\n        return Grade({"rmse": 0.0})\n    _, _, _, truth')
CLAIM = """\
    if isinstance(algorithm.fit_predict(*[inputs["x"][0]] * 3, 0), dict):
        return {"claim": 1, "values": []}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    new_task(tmp_path / "task", "my/task")
    return tmp_path / "task"


def failed(folder: Path, sandbox: Sandbox, quick: bool = True) -> dict[str, str]:
    """The rows that did not pass: name → detail."""
    report = check_task(load_task(folder), sandbox, quick)
    assert report.passed == all(row.passed for row in report.rows)
    return {row.name: row.detail for row in report.rows if not row.passed}


def change(file: Path, *replacements: tuple[str, str]) -> None:
    text = file.read_text()
    for old, new in replacements:
        assert old in text, f"{file.name} has no {old!r}"
        text = text.replace(old, new)
    file.write_text(text)


def test_a_baseline_that_does_not_reproduce(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "workspace/algorithm.py", ("DEGREE = 1", "DEGREE = 2"))
    assert set(failed(folder, sandbox)) == {"baseline on val", "baseline on test"}


def test_a_baseline_that_does_not_run(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "workspace/algorithm.py", ("powers = design(x)", "raise RuntimeError('out of paper')"))
    assert "out of paper" in failed(folder, sandbox)["baseline on val"]


def test_a_constraint_on_what_nobody_measures(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "task.toml", ("[limits]", '[[constraints]]\nmetric = "beauty"\nop = ">="\n\n[limits]'))
    assert failed(folder, sandbox)["baseline on val"] == "the grader reports no 'beauty'"


def test_a_statement_that_says_something_else(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "prompt.md", ("10 s and 512 MB", "20 s and 1 GB"), ("`rmse`", "`error`"))
    said = failed(folder, sandbox)["statement agrees with task.toml"]
    assert "10 s" in said
    assert "512 MB" in said
    assert "rmse" in said


def test_what_a_folder_lacks(folder: Path, sandbox: Sandbox) -> None:
    (folder / "NOTES.md").unlink()
    (folder / "probes/random").rename(folder / "probes/other")
    change(folder / "solutions/smoother/algorithm.py", ("def fit_predict", "def predict"))
    said = failed(folder, sandbox)["folder"]
    assert "NOTES.md" in said
    assert "probes/random" in said
    assert "solutions/smoother/algorithm.py does not define 'fit_predict'" in said


def test_a_split_that_shows(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "grader.py", ('"seed": seed}', '"seed": seed, "rows": 10 if split == "val" else 20}'))
    assert "'rows' is 10 on val, 20 on test" in failed(folder, sandbox)["val and test look alike from inside"]


def test_a_secret_that_leaves_the_grader(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "perform.py", ("import numpy as np", "import numpy as np\n\nSEED = 4_472_137"))
    assert "perform.py contains 4472137" in failed(folder, sandbox)["secrets stay with the grader"]


def test_labels_among_the_inputs(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "grader.py", TRUTH, LABELS_IN, FLAT_GRADE)
    change(folder / "perform.py", FLAT_OUT)
    assert "'answers' given back as 'values' scores 0 " in failed(folder, sandbox)["inputs carry no labels"]


def test_a_metric_that_silly_answers_win(folder: Path, sandbox: Sandbox) -> None:
    change(
        folder / "grader.py",
        ("errors = np.sqrt(np.mean((values - truth) ** 2, axis=1))", "errors = values.std(axis=1)"),
    )
    assert "'constant' scores 0" in failed(folder, sandbox)["empty candidates gain nothing on test"]


def test_a_solution_that_is_none(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "solutions/polynomial/algorithm.py", ("DEGREE = 9", "DEGREE = 1"))
    assert "does not beat" in failed(folder, sandbox, quick=False)["solution polynomial on test"]


def test_results_that_change_from_one_time_to_the_next(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "grader.py", ("default_rng([SECRET[split], seed])", "default_rng()"))
    assert "the inputs differ" in failed(folder, sandbox, quick=False)["same seed, same result"]


def test_a_grader_that_breaks_on_odd_outputs_and_believes_claims(folder: Path, sandbox: Sandbox) -> None:
    change(folder / "grader.py", CARELESS, BELIEVING)
    change(folder / "perform.py", ("    curves =", CLAIM + "    curves ="))
    said = failed(folder, sandbox, quick=False)
    assert "grader.py raised" in said["odd outputs are refused"]
    assert "accepted with 0" in said["claimed metrics are not believed"]


def test_the_attacks_find_what_is_there_to_find(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside the sandbox everything is open: an attack that finds nothing here would prove nothing there."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("EVALUATION", "--split test")
    truth = "the answers"
    assert any("--split test" in found for found in split.attack(str(folder)))
    assert any(found.endswith("grader.py") for found in files.attack(str(folder)))
    import sklearn  # noqa: F401  the loader is tried only where the library is there already

    reached = " ".join(datasets.attack(str(folder)))
    assert "digits.csv.gz" in reached
    assert "labelled digits" in reached
    assert any("'truth'" in found for found in stack.attack(str(folder))), truth
    leftovers.attack(str(folder))
    assert any(str(tmp_path) in found for found in leftovers.attack(str(folder)))
    results.attack(str(folder))
    assert (tmp_path / "results_tmp" / "val_info.json").is_file()
