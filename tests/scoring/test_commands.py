"""score, compare, export and import as a user calls them, over runs made by the real loop."""

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

import assay as package
from assay.scoring.frames import step_columns, write_columns
from assay.scoring.measures import MEASURES
from assay.scoring.scores import load_scores
from assay.scoring.tables import main_tables
from assay.tasks.load import Task

Call = Callable[..., subprocess.CompletedProcess[str]]


def test_from_a_run_to_every_table(assay: Call, tiny_task: Task, tmp_path: Path) -> None:
    task = tiny_task.paths.root
    made = assay(
        "run", "--agent", "autoresearch,nop", "--task", task, "--seeds", "2", "--steps", "4", "--out", "results"
    )
    assert made.returncode == 0, made.stderr
    scored = assay("score", "results", "--embedder", "tokens")
    assert scored.returncode == 0, scored.stderr
    for word in ("Raw performance", "Normalised improvement", "Spread", "tokens", "autoresearch", "nop"):
        assert word in scored.stdout
    with (tmp_path / "results" / "scores" / "table_normalized_improvement.csv").open() as file:
        rows = {row["agent"]: row for row in csv.DictReader(file)}
    assert float(rows["nop"]["improvement"]) == 0.0
    assert float(rows["autoresearch"]["improvement"]) >= 0.0
    assert rows["nop"]["note"] == "no step beat the baseline"
    compared = assay("compare", "autoresearch", "nop", "--json")
    assert compared.returncode == 0, compared.stderr
    assert {each["view"] for each in json.loads(compared.stdout)} == {"final", "steps", "hours"}


@pytest.fixture
def results(tmp_path: Path, journals: ModuleType) -> Path:
    journals.write_sweep(tmp_path / "results", agents=2, tasks=2, seeds=2, steps=5, code_lines=20)
    return tmp_path / "results"


def test_a_damaged_run_is_named_and_the_command_fails(assay: Call, results: Path) -> None:
    sick = sorted((results / "runs").iterdir())[0]
    with (sick / "events.jsonl").open("a") as file:
        file.write("{}\n")
    done = assay("score", "results", "--json")
    assert done.returncode == 1
    assert sick.name in done.stderr
    told = json.loads(done.stdout)
    assert [damage["run_id"] for damage in told["damaged"]] == [sick.name]
    assert sum(row["seeds"] for row in told["tables"][0]["rows"]) == 7


def test_files_for_notebooks_agree_with_the_frame(assay: Call, results: Path, tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    frame = package.load(results).steps()
    assert len(frame) == 8 * 5
    assert frame["step"].max() == 5
    read = {"csv": pandas.read_csv, "json": pandas.read_json, "parquet": pandas.read_parquet}
    done = assay("export", "results", "--format", "csv", "-o", "steps.csv")
    assert done.returncode == 0, done.stderr
    for form in ("json", "parquet"):
        write_columns(step_columns(load_scores(results)), tmp_path / f"steps.{form}", form)
    for form, reader in read.items():
        again = reader(tmp_path / f"steps.{form}")
        assert list(again.columns) == list(frame.columns)
        for column in ("value", "best_improvement", "tokens", "hours"):
            pandas.testing.assert_series_equal(again[column], frame[column], check_dtype=False, rtol=1e-9)
        assert (again["kind"] == frame["kind"]).all()


def test_a_frame_of_runs_names_its_embedder(results: Path) -> None:
    pytest.importorskip("pandas")
    runs = package.load(results, embedder="tokens").runs()
    assert set(runs["embedder"]) == {"tokens"}
    assert runs["spread"].notna().all()
    assert runs["score"].between(0, 1).all()


def test_there_and_back_through_fmlbench(assay: Call, results: Path) -> None:
    assert assay("export", "results", "--format", "fmlbench", "-o", "there").returncode == 0
    done = assay("import", "there", "--format", "fmlbench", "--out", "back")
    assert done.returncode == 0, done.stderr
    before, after = (main_tables(load_scores(results.parent / name))[-1].rows for name in ("results", "back"))
    for row, again in zip(before, after, strict=True):
        assert {key: pytest.approx(value, abs=1e-9) for key, value in row.items()} == again


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("score", "nowhere"), "holds no runs"),
        (("score", "results", "--embedder", "token"), "no embedder 'token'"),
        (("compare", "agent-0", "agent-9", "--results", "results"), "no agent 'agent-9'"),
        (("compare", "agent-0", "--results", "results"), "nothing to compare"),
        (("import", "results", "--format", "fmlbench"), "holds no <agent>/<task>/<run>/summary.json"),
        (("noise", "fml-mini/none"), "no task"),
    ],
)
def test_mistakes_are_sentences(assay: Call, results: Path, words: tuple[str, ...], message: str) -> None:
    done = assay(*words)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_the_notebook_example_of_the_docs_runs(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pandas")
    page = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text()
    example = page.split("```python\n")[1].split("```")[0]
    monkeypatch.chdir(results.parent)
    names: dict[str, object] = {}
    exec(example, names)
    columns = [line.split("|")[1] for line in page.splitlines() if line.startswith("|")]
    for column in names["steps"].columns:  # type: ignore[attr-defined]
        assert any(column in [word.strip() for word in cell.split(",")] for cell in columns), column


def test_every_measure_stands_in_the_docs() -> None:
    page = (Path(__file__).parents[2] / "docs" / "metrics.md").read_text().lower()
    for measure in MEASURES:
        words = measure.title.lower().split(" (")[0].removesuffix(", mean-pooled")
        assert words in page or words.replace("improvement per", "") in page, measure.title
