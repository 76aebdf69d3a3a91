"""The tables of `assay score`, cell by cell."""

import csv
import json
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from assay.embedding.tokens import Tokens
from assay.scoring.correlation import correlations
from assay.scoring.measures import MEASURES
from assay.scoring.render import shown, write_tables
from assay.scoring.scores import load_scores
from assay.scoring.tables import Table, main_tables
from assay.tasks.spec import Metric, Noise

DOWN = Metric(name="err", direction="min", best=0.0, worst=1.0)


@pytest.fixture
def tables(tmp_path: Path, journals: ModuleType) -> dict[str, Table]:
    """Two agents on an `up` task with two seeds and a `down` task with one; `weak` fails once on test."""
    step, noise = journals.Step, Noise(seeds=20, val_sd=0.01, test_sd=0.03)
    for seed in (0, 1):
        for agent, value, kind in (("strong", 0.7 + 0.1 * seed, "ok"), ("weak", 0.6, "ok" if seed else "crashed")):
            run = journals.Run(agent=agent, seed=seed, task="made-up/up", steps=[step(value)], test=value, noise=noise)
            journals.write_run(tmp_path, replace(run, test_kind=kind))
    for agent, value in (("strong", 0.3), ("weak", 0.55)):
        run = journals.Run(agent=agent, task="made-up/down", metric=DOWN, steps=[step(value)], test=value)
        journals.write_run(tmp_path, run)
    journals.write_run(tmp_path, journals.Run(agent="weak", seed=7, task="made-up/up", finished=False))
    return {table.name: table for table in main_tables(load_scores(tmp_path, Tokens()))}


def row(table: Table, **wanted: Any) -> dict[str, Any]:
    (found,) = [row for row in table.rows if all(row[key] == value for key, value in wanted.items())]
    return found


def test_raw_performance_falls_back_to_the_baseline_and_says_so(tables: dict[str, Table]) -> None:
    weak = row(tables["table_raw_performance"], task="made-up/up", agent="weak")
    assert weak["value"] == pytest.approx((0.5 + 0.6) / 2)
    assert weak["note"] == "1 crashed → baseline, 1 ok"
    assert (weak["baseline"], weak["direction"], weak["seeds"]) == (0.5, "max", 2)
    down = row(tables["table_raw_performance"], task="made-up/down", agent="strong")
    assert (down["value"], down["direction"], down["note"], down["low"]) == (0.3, "min", "ok", None)


def test_normalised_improvement_is_marked_where_it_may_be_noise(tables: dict[str, Table]) -> None:
    table = tables["table_normalized_improvement"]
    strong, weak = (row(table, task="made-up/up", agent=agent) for agent in ("strong", "weak"))
    assert strong["improvement"] == pytest.approx(0.25)
    assert strong["within_noise"] is False
    assert weak["improvement"] == pytest.approx(0.05)
    assert weak["sigmas"] == pytest.approx((0 + 0.1 / 0.03) / 2)
    assert weak["within_noise"] is True
    assert row(table, task="made-up/down", agent="weak")["within_noise"] is None


def test_process_metrics_average_tasks_alike(tables: dict[str, Table]) -> None:
    table = tables["table_process_metrics"]
    strong = row(table, agent="strong")
    assert table.embedder == strong["embedder"] == "tokens"
    assert strong["auc_over_steps"] == pytest.approx((0.25 + 0.2) / 2)
    assert strong["reliability"] == 1.0
    assert strong["uniqueness"] == 1.0
    assert strong["step_completion_rate"] == pytest.approx(0.1)
    # gains of 20 % with one of two seeds on the one task, none on the other, where the baseline was tested
    assert row(table, agent="weak")["success_rate"] == pytest.approx(0.25)
    assert row(table, agent="weak")["average_improvement"] == pytest.approx((0.2 + 0.0) / 2)


def test_agents_at_a_glance(tables: dict[str, Table]) -> None:
    strong, weak = tables["table_agents"].rows
    assert (strong["agent"], strong["mean_rank"], strong["win_rate"], strong["unfinished"]) == ("strong", 1.0, 1.0, 0)
    assert strong["improvement"] == pytest.approx((0.25 + 0.2) / 2)
    assert (weak["agent"], weak["mean_rank"], weak["unfinished"], weak["not_ok"]) == ("weak", 2.0, 1, 1)


def test_the_published_twelve_are_all_there() -> None:
    assert [measure.key for measure in MEASURES if measure.group == "process"] == [
        "spread",
        "uniqueness",
        "reach",
        "effective_dimension",
        "generalisation_gap",
        "reliability",
        "auc_over_steps",
        "first_improvement_step",
        "late_gain_fraction",
        "best_improvement_step",
        "million_tokens",
        "hours",
    ]
    assert len({measure.key for measure in MEASURES}) == len(MEASURES)


def test_files_hold_what_the_tables_hold(tables: dict[str, Table], tmp_path: Path) -> None:
    files = write_tables(list(tables.values()), tmp_path / "scores")
    names = {file.name for file in files}
    assert {f"table_{name}.csv" for name in ("raw_performance", "normalized_improvement", "process_metrics")} <= names
    for table in tables.values():
        with (tmp_path / "scores" / f"{table.name}.csv").open() as file:
            rows = list(csv.DictReader(file))
        plain = json.loads((tmp_path / "scores" / f"{table.name}.json").read_text())
        assert len(rows) == len(table.rows) == len(plain["rows"])
        assert list(rows[0]) == list(table.columns)
        for written, read, kept in zip(table.rows, rows, plain["rows"], strict=True):
            assert set(kept) == set(written) == set(table.columns)
            for key, value in written.items():
                assert read[key] == ("" if value is None else str(value))


def test_shown_tables_name_the_embedder_beside_what_depends_on_it(tables: dict[str, Table]) -> None:
    _, heads, rows = shown([tables["table_process_metrics"]])[0]
    groups = {line[0]: line[1] for line in rows}
    assert heads == ["metric", "group", "strong", "weak"]
    assert groups["Spread"] == "process, tokens"
    assert groups["Exploration diversity"] == "first paper, tokens"
    assert groups["Reliability"] == "process"


def test_the_model_is_named_where_there_are_several(tmp_path: Path, journals: ModuleType) -> None:
    for model in ("openai:large", "openai:small"):
        journals.write_run(tmp_path, journals.Run(model=model, steps=[journals.Step(0.6)], test=0.6))
    assert load_scores(tmp_path).labels == ["autoresearch (openai:large)", "autoresearch (openai:small)"]


def test_nothing_finished_gives_empty_tables(tmp_path: Path, journals: ModuleType) -> None:
    journals.write_run(tmp_path, journals.Run(finished=False))
    scores = load_scores(tmp_path)
    assert [len(table.rows) for table in main_tables(scores)] == [0, 0, 0, 0]
    assert correlations(scores) == []
    assert len(shown(main_tables(scores))) == 4
