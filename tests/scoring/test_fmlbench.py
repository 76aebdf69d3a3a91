"""Exchange with FML-bench: our results through its layout and back, and its results as its own runner writes them."""

import json
import math
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from assay.embedding.tokens import Tokens
from assay.errors import UsageError
from assay.models.usage import Usage
from assay.scoring.exchange.fmlbench_export import export_fmlbench
from assay.scoring.exchange.fmlbench_import import import_fmlbench
from assay.scoring.exchange.fmlbench_tasks import PUBLISHED
from assay.scoring.measures import measured
from assay.scoring.scores import load_scores
from assay.scoring.summary import RunSummary
from assay.tasks.spec import FmlBench, Metric

TASK = "Causality_causalml"
BASE = PUBLISHED[TASK]


def same_figures(before: RunSummary, after: RunSummary) -> None:
    one, other = measured([before], "tokens"), measured([after], "tokens")
    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)
    assert before.note == after.note
    assert before.score == pytest.approx(after.score, abs=1e-9)
    assert before.kinds == after.kinds


def test_our_results_come_back_with_the_same_figures(tmp_path: Path, journals: ModuleType) -> None:
    results, there, back = tmp_path / "results", tmp_path / "there", tmp_path / "back"
    journals.write_sweep(results, agents=2, tasks=2, seeds=2, steps=12, code_lines=40)
    forget = Metric(name="p", direction="max", best=0.0, worst="baseline", transform="neg_log10")
    step, spent = journals.Step, Usage(calls=1, input_tokens=7, usd=None)
    harder = [
        journals.Run(agent="nothing", steps=[], test=None),
        journals.Run(agent="failed", steps=[step(None, "timeout"), step(None, "tampering")]),
        journals.Run(agent="constraint", steps=[step(0.7), step(None, "constraint")], test_kind="constraint"),
        journals.Run(agent="crashed", steps=[step(0.7)], test_kind="crashed"),
        journals.Run(agent="unpriced", steps=[step(0.7, usage=spent)], test=0.4),
        journals.Run(
            agent="forget", metric=forget, baseline_val=1e-70, baseline_test=1e-160, steps=[step(1e-9)], test=1e-12
        ),
    ]
    for run in harder:
        journals.write_run(results, run)
    scores = load_scores(results, Tokens())
    assert len(export_fmlbench(scores, there)) == len(scores.runs)
    done = import_fmlbench(there, back)
    assert not done.skipped
    again = load_scores(back, Tokens())
    assert [run.run_id for run in again.runs] == [run.run_id for run in scores.runs]
    for before, after in zip(scores.runs, again.runs, strict=True):
        same_figures(before, after)


def test_the_export_has_what_their_scorer_reads(tmp_path: Path, journals: ModuleType) -> None:
    usage = Usage(calls=1, input_tokens=800, output_tokens=200, usd=0.1)
    steps = [journals.Step(0.6, usage=usage, seconds=90.0), journals.Step(None, "crashed", seconds=10.0)]
    journals.write_run(tmp_path / "r", journals.Run(agent="adaptive_search", steps=steps, test=0.65))
    (folder,) = export_fmlbench(load_scores(tmp_path / "r"), tmp_path / "out")
    assert folder.parent.parent.name == "adaptivesearch"
    summary = json.loads((folder / "summary.json").read_text())
    assert summary["agent"] == "adaptivesearch"
    assert summary["baseline_primary_metric"] == 0.5
    assert summary["best_val_metric"] == 0.6
    assert summary["total_steps"] == 2
    assert [step["val_result"]["success"] for step in summary["val_steps"]] == [True, False]
    assert [step["primary_metric"] for step in summary["val_steps"]] == [0.6, None]
    assert summary["token_usage"]["total_tokens"] == 1000
    assert summary["total_duration_seconds"] == pytest.approx(100.0)
    for number in (1, 2):
        assert json.loads((folder / "step_snapshots" / f"step_{number:04d}_code.json").read_text())
    (info,) = folder.glob("*final_test/run_final_test/execution_*/test_info.json")
    (block,) = json.loads(info.read_text()).values()
    assert block["means"] == {"acc": 0.65}
    with pytest.raises(UsageError, match="is not empty"):
        export_fmlbench(load_scores(tmp_path / "r"), tmp_path / "out")


def test_a_task_goes_by_the_name_it_has_there(tmp_path: Path, journals: ModuleType) -> None:
    names = FmlBench(task=TASK, dataset=BASE.dataset, metric=BASE.metric.name)
    run = journals.Run(task="fml-mini/causality_causalml", fmlbench=names, steps=[journals.Step(0.6)], test=0.65)
    journals.write_run(tmp_path / "r", run)
    (folder,) = export_fmlbench(load_scores(tmp_path / "r"), tmp_path / "out")
    assert folder.parent.name == TASK
    (info,) = folder.glob("*final_test/run_final_test/execution_*/test_info.json")
    assert json.loads(info.read_text())[BASE.dataset]["means"] == {BASE.metric.name: 0.65}
    import_fmlbench(tmp_path / "out", tmp_path / "back")
    (back,) = load_scores(tmp_path / "back").runs
    assert (back.task, back.facts.fmlbench, back.score) == (run.task, names, pytest.approx(0.15))


def test_a_failed_test_leaves_their_bug_record(tmp_path: Path, journals: ModuleType) -> None:
    run = journals.Run(steps=[journals.Step(0.7)], test_kind="crashed")
    journals.write_run(tmp_path / "r", run)
    (folder,) = export_fmlbench(load_scores(tmp_path / "r"), tmp_path / "out")
    (record,) = folder.glob("*final_test/run_final_test/execution_*/records/bug_test_*.json")
    assert json.loads(record.read_text())["phase"] == "test"


def result(value: float | None, error: str | None = None) -> dict[str, Any]:
    """One validation as their executor records it; NaN is written as a bare word."""
    if error is not None:
        return {"success": False, "results": None, "primary_metric": None, "error": error}
    results = {BASE.dataset: {"means": {BASE.metric.name: value}, "stderrs": {}, "final_info_dict": {}}}
    return {"success": True, "results": results, "primary_metric": value, "error": None}


def their_run(root: Path, run: str = "20260101_000000", **changes: Any) -> Path:
    """A run as FML-bench writes it: four steps, of which the third is the best, and a final test."""
    folder = root / "aide" / TASK / run
    values = [result(1.4), result(None, "Timeout after 2400 seconds"), result(1.1), result(math.nan)]
    repository = f"workspace/{TASK}__20260101_000000_0123abcd/causalml"
    summary: dict[str, Any] = {
        "benchmark": TASK,
        "agent": "aide",
        "model": "gpt-5",
        "provider": "OpenAI",
        "agent_params": {"max_steps": 4},
        "task_config": {"metric": BASE.metric.name, "repo_dir": repository, "target_files": ["dragonnet.py"]},
        "baseline_primary_metric": BASE.val,
        "total_steps": 4,
        "total_duration_seconds": 5000.0,
        "best_val_metric": 1.1,
        "test_result": result(1.2),
        "val_steps": [
            {
                "step_id": number,
                "action": "draft",
                "val_result": value,
                "primary_metric": value["primary_metric"],
                "token_usage": {"prompt_tokens": 60, "completion_tokens": 40, "total_tokens": 100},
                "step_duration_seconds": 1000.0,
                "metadata": {"instruction": "make it better"},
            }
            for number, value in enumerate(values, start=1)
        ],
        "token_usage": {"total_tokens": 1000},
        "metadata": {},
    }
    folder.mkdir(parents=True)
    (folder / "summary.json").write_text(json.dumps(summary | changes))
    for number in range(1, 5):
        snapshot = folder / "step_snapshots" / f"step_{number:04d}_code.json"
        snapshot.parent.mkdir(exist_ok=True)
        code = {f"{repository}/dragonnet.py": f"depth = {number}\n", f"{repository}/split_config.json": "{}"}
        snapshot.write_text(json.dumps(code))
    return folder


def imported(tmp_path: Path, checkout: Path | None = None) -> RunSummary:
    done = import_fmlbench(tmp_path / "theirs", tmp_path / "ours", checkout)
    assert not done.skipped
    (run,) = load_scores(tmp_path / "ours", Tokens()).runs
    return run


def test_their_results_are_scored_as_they_score_them(tmp_path: Path) -> None:
    folder = their_run(tmp_path / "theirs")
    execution = folder / "x_final_test" / "run_final_test" / "execution_20260101_000001"
    execution.mkdir(parents=True)
    (execution / "test_info.json").write_text(json.dumps(result(1.0)["results"]))
    run = imported(tmp_path)
    assert run.score == pytest.approx((BASE.test - 1.0) / BASE.test, abs=1e-12)
    assert run.improvement_val == pytest.approx((BASE.val - 1.1) / BASE.val, abs=1e-12)
    assert run.kinds == {"ok": 2, "timeout": 1, "invalid_output": 1}
    assert (run.best_step, run.tokens, run.usd, run.budget) == (3, 1000, None, 4)
    assert run.hours == pytest.approx(5000 / 3600)
    assert (run.agent, run.model, run.task, run.seed) == ("aide", "OpenAI:gpt-5", TASK, 0)
    assert run.explorations["tokens"].reach is None
    assert run.explorations["tokens"].uniqueness is not None


def test_the_summary_stands_in_for_a_test_that_lies_elsewhere(tmp_path: Path) -> None:
    their_run(tmp_path / "theirs")
    assert imported(tmp_path).score == pytest.approx((BASE.test - 1.2) / BASE.test)


@pytest.mark.parametrize(
    ("test", "note"),
    [
        (None, "no final test → baseline"),
        (result(None, "boom"), "crashed → baseline"),
        (
            {"success": True, "results": {BASE.dataset: {"means": {"constraint_violated": True}}}},
            "constraint → baseline",
        ),
    ],
)
def test_a_final_test_without_a_value_scores_nothing(tmp_path: Path, test: Any, note: str) -> None:
    their_run(tmp_path / "theirs", test_result=test)
    run = imported(tmp_path)
    assert (run.score, run.note) == (0.0, note)


def test_a_checkout_gives_baselines_and_code(tmp_path: Path) -> None:
    their_run(tmp_path / "theirs")
    checkout = tmp_path / "checkout"
    code = checkout / "workspace" / TASK / "causalml" / "dragonnet.py"
    info = checkout / "ml_tasks" / TASK / "baseline_results" / "test_info.json"
    for path, text in ((code, "depth = 0\n"), (info, json.dumps(result(2.0)["results"]))):
        path.parent.mkdir(parents=True)
        path.write_text(text)
    run = imported(tmp_path, checkout)
    assert run.baseline_test == 2.0
    assert run.explorations["tokens"].reach is not None


def test_repetitions_get_seeds_and_what_cannot_be_read_is_named(tmp_path: Path) -> None:
    their_run(tmp_path / "theirs", "20260101_000000")
    their_run(tmp_path / "theirs", "20260102_000000")
    odd = their_run(tmp_path / "theirs", "20260103_000000", benchmark="Homemade_task")
    broken = their_run(tmp_path / "theirs", "20260104_000000")
    (broken / "summary.json").write_text("{")
    done = import_fmlbench(tmp_path / "theirs", tmp_path / "ours")
    assert set(done.skipped) == {str(odd), str(broken)}
    assert [run.seed for run in load_scores(tmp_path / "ours").runs] == [0, 1]
    again = import_fmlbench(tmp_path / "theirs", tmp_path / "ours")
    assert len(again.skipped) == 4
    assert not again.runs


def test_nothing_to_import_is_a_mistake_of_the_caller(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no"):
        import_fmlbench(tmp_path, tmp_path / "ours")


def test_their_results_go_back_with_the_same_figures(tmp_path: Path) -> None:
    their_run(tmp_path / "theirs")
    before = imported(tmp_path)
    export_fmlbench(load_scores(tmp_path / "ours"), tmp_path / "again")
    import_fmlbench(tmp_path / "again", tmp_path / "back")
    (after,) = load_scores(tmp_path / "back", Tokens()).runs
    same_figures(before, after)


def test_the_unlearning_task_is_scored_on_a_log_scale() -> None:
    task = PUBLISHED["Unlearning_open_unlearning"]
    assert task.metric.scale(task.val) == pytest.approx(70.66, abs=0.005)
    assert task.metric.scale(task.test) == pytest.approx(166.80, abs=0.005)
    assert task.metric.improvement(1.0, task.test) == pytest.approx(1.0)
    assert task.metric.improvement(task.test, task.test) == 0.0
