"""MLAgentBench's own rules: they give the published figures."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from assay.scoring.mlab.legacy import AVERAGE, LABELS, Result, averages, baseline_of, cell, label_of, legacy_table
from assay.scoring.render import shown
from assay.scoring.scores import load_scores
from assay.tasks.original.known import KNOWN
from assay.tasks.spec import Metric

Call = Callable[..., subprocess.CompletedProcess[str]]
DOWN = Metric(name="mae", direction="min", best=0.0)

PUBLISHED = {
    "cifar10": (25, 25, 12.5, 25, 62.5, 12.5, 25),
    "imdb": (25, 12.5, 0, 0, 25, 0, 0),
    "ogbn-arxiv": (87.5, 62.5, 37.5, 62.5, 87.5, 37.5, 0),
    "house-price": (12.5, 87.5, 75, 87.5, 100, 100, 12.5),
    "spaceship-titanic": (12.5, 50, 12.5, 75, 100, 87.5, 0),
    "parkinsons-disease": (0, 0, 0, 0, 0, 0, 0),
    "fathomnet": (0, 0, 0, 0, 0, 0, 0),
    "feedback": (12.5, 37.5, 0, 37.5, 87.5, 0, 0),
    "identify-contrails": (25, 62.5, 12.5, 25, 0, 0, 0),
    "llama-inference": (0, 0, 12.5, 25, 0, 0, 12.5),
    "vectorization": (0, 0, 0, 0, 0, 0, 0),
    "CLRS": (50, 0, 50, 0, 25, 0, 0),
    "BabyLM": (0, 0, 0, 0, 0, 0, 0),
}
"""Success rates of GPT-4, GPT-4-turbo, Claude 1.0, 2.1 and 3 Opus, Gemini Pro and Mixtral with eight runs each."""
AVERAGES = (19.2, 26.0, 16.3, 26.0, 37.5, 18.3, 3.8)
GOOD = {
    "imdb": 0.92,
    "ogbn-arxiv": 0.5,
    "spaceship-titanic": 0.79,
    "fathomnet": 0.3,
    "house-price": 20_000.0,
    "vectorization": 1.0,
}
"""A success against the published constant; for the others, against a baseline of 2, half of it or twice."""


def good(label: str) -> float:
    lower = {"parkinsons-disease", "feedback", "BabyLM", "llama-inference"}
    return GOOD.get(label, 1.0 if label in lower else 4.0)


@pytest.mark.parametrize("model", range(7))
def test_the_published_columns_and_their_averages(model: int) -> None:
    column = {}
    for label, rates in PUBLISHED.items():
        hits = round(rates[model] / 100 * 8)
        results = [Result(good(label))] * hits + [Result(None)] * (8 - hits)
        column[label] = {"success": cell(label, baseline_of(label, "seconds", 2.0), results).success[0.10]}
        assert column[label]["success"] == rates[model]
    assert averages(column.values(), len(PUBLISHED))["success"] == pytest.approx(AVERAGES[model], abs=0.05)


def test_any_working_submission_is_a_hundred_per_cent_better_house_price() -> None:
    found = cell(
        "house-price", baseline_of("house-price", "mae", 25_000.0), [Result(30_000.0), Result(-1.0), Result(None)]
    )
    assert found.improvement == 100.0
    assert found.success[0.30] == pytest.approx(33.33)


def test_thresholds_are_strict_and_what_is_not_positive_is_missing() -> None:
    # 11 is exactly a tenth better than 10, also in binary
    assert cell("cifar10", 10.0, [Result(11.0)]).success[0.10] == 0.0
    assert cell("cifar10", 10.0, [Result(11.1)]).success == {0.05: 100.0, 0.1: 100.0, 0.15: 0.0, 0.2: 0.0, 0.3: 0.0}
    lower = cell("feedback", 4.0, [Result(3.0), Result(0.0)])
    assert (lower.success[0.20], lower.success[0.30], lower.improvement) == (50.0, 0.0, 25.0)


def test_a_constant_in_seconds_is_no_baseline_of_a_ratio() -> None:
    assert baseline_of("vectorization", "seconds", 1.0) == 6.1742
    assert baseline_of("vectorization", "time_ratio", 1.0) == 1.0
    assert baseline_of("cifar10", "accuracy", 0.4) == 0.4


def test_at_any_step_takes_the_best_positive_value_in_the_listed_direction() -> None:
    assert cell("cifar10", 0.5, [Result(0.4, (0.6, 0.0))]).any_step == 100.0
    assert cell("BabyLM", 50.0, [Result(60.0, (40.0, 0.0))]).any_step == 100.0
    assert cell("BabyLM", 50.0, [Result(60.0, (0.0, -1.0))]).any_step == 0.0


def test_a_second_column_is_restricted_to_runs_that_submitted() -> None:
    found = cell("cifar10", 0.5, [Result(0.6), Result(0.75, submitted=False), Result(None)])
    assert (found.improvement, found.submitted_improvement) == (35.0, 20.0)
    nothing = cell("cifar10", 0.5, [Result(None)])
    assert (nothing.improvement, nothing.success[0.10]) == (0.0, 0.0)


def test_means_are_rounded_to_four_decimals() -> None:
    assert cell("cifar10", 0.3, [Result(0.4)]).improvement == pytest.approx(33.33, abs=1e-9)


def test_every_folder_of_the_original_has_its_label() -> None:
    assert {label_of(f"somewhere/{name}") for name in KNOWN} == set(LABELS.values())
    assert label_of("mlab/house-price") == label_of("/data/house-price/") == "house-price"
    assert label_of("mlab-mini/imdb") is None and label_of("fml-mini/other") is None


@pytest.fixture
def results(tmp_path: Path, journals: ModuleType) -> Path:
    def write(agent: str, task: str, seed: int, test: float | None, **fields: Any) -> None:
        step = journals.Step(fields["metric"].best if test else None, "ok" if test else "crashed")
        kind = {"test": test} if test else {"test_kind": "crashed", "submitted": 1}
        run = journals.Run(agent=agent, task=task, seed=seed, steps=[step], **kind, **fields)
        journals.write_run(tmp_path / "results", run)

    up = Metric(name="accuracy", direction="max", best=1.0)
    for seed in range(8):
        write("mlab_research", "mlab/house-price", seed, 30_000.0 if seed < 3 else None, metric=DOWN, baseline_val=9e4)
        write("mlab_research", "mlab/cifar10", seed, 0.56 if seed < 2 else 0.5, metric=up)
    for seed, value in enumerate([0.53, 0.47]):
        write("trivial", "mlab/cifar10", seed, value, metric=up)
    write("mlab_research", "mlab-mini/house-synth", 0, 1.0, metric=DOWN)
    return tmp_path / "results"


def test_journals_give_the_same_cells(results: Path) -> None:
    table = legacy_table(load_scores(results))
    rows = {(row["task"], row["agent"]): row for row in table.rows}
    house, digits = rows["house-price", "mlab_research"], rows["cifar10", "mlab_research"]
    assert (house["runs"], house["baseline"], house["success_10"], house["improvement"]) == (8, 1e10, 37.5, 100.0)
    # the mean of the agent `trivial`
    assert (digits["baseline"], digits["success_10"], digits["improvement"]) == (pytest.approx(0.5), 25.0, 3.0)
    assert rows[AVERAGE, "mlab_research"]["success_10"] == pytest.approx((37.5 + 25) / 2)
    # what it has not run counts 0
    assert rows["cifar10", "trivial"]["success_10"] == 0.0 and rows[AVERAGE, "trivial"]["improvement"] == 0.0
    assert "house-synth" not in str(table.rows)
    assert all(set(row) == set(table.columns) for row in table.rows)
    ((_, heads, lines),) = shown([table])
    assert all(len(line) == len(heads) for line in lines)


def test_the_command(assay: Call, results: Path, tmp_path: Path, journals: ModuleType) -> None:
    done = assay("score", "results", "--scoring", "legacy-mlab")
    assert done.returncode == 0, done.stderr
    assert "37.5 [14, 69]" in done.stdout and "Raw performance" not in done.stdout
    assert (results / "scores" / "table_legacy_mlab.csv").exists()
    journals.write_run(tmp_path / "others", journals.Run(steps=[journals.Step(0.7)], test=0.7))
    refused = assay("score", "others", "--scoring", "legacy-mlab")
    assert refused.returncode == 2
    assert "its tasks are cifar10" in refused.stderr
