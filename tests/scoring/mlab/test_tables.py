"""MLAgentBench's tables: who succeeds how often, and what became of the runs."""

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from assay.scoring.frames import run_columns
from assay.scoring.mlab.classes import ASIDE, CLASSES
from assay.scoring.mlab.tables import mlab_tables
from assay.scoring.render import shown, write_tables
from assay.scoring.scores import load_scores
from assay.scoring.statistics import wilson
from assay.scoring.tables import Table
from assay.tasks.spec import Noise

Call = Callable[..., subprocess.CompletedProcess[str]]
TASK = "mlab-mini/made-up"


@pytest.fixture
def results(tmp_path: Path, journals: ModuleType) -> Path:
    """Eight runs of an agent with turns, of which three succeed and one has no valid result; two of a search agent."""
    noise = Noise(seeds=20, val_sd=0.03, test_sd=0.03)
    for seed, value in enumerate([0.6, 0.6, 0.7, 0.52, 0.5, 0.5, 0.4, None]):
        step = journals.Step(0.6 if seed < 4 else 0.5, files={"algorithm.py": f"x = {seed}\n"})
        last = journals.Turn("Final Answer", {"final_answer": "Done."}, "end", "end", ends="submitted", step=step)
        ran = journals.Turn("Execute Script", {}, "KeyError: 'x'", ran="algorithm.py", exit_code=1)
        run = journals.Run(
            agent="react",
            task=TASK,
            seed=seed,
            noise=noise,
            turns=[*([ran] * (3 if seed in (0, 6) else 1)), last],
            reason="submitted",
            submitted=1,
            test=value,
            test_kind="ok" if value else "crashed",
        )
        journals.write_run(tmp_path / "results", run)
    for seed in (0, 1):
        run = journals.Run(agent="aide", task=TASK, seed=seed, steps=[journals.Step(0.7)], test=0.7)
        journals.write_run(tmp_path / "results", run)
    journals.write_run(tmp_path / "results", journals.Run(agent="aide", steps=[journals.Step(0.7)], test=0.7))
    return tmp_path / "results"


@pytest.fixture
def tables(results: Path) -> dict[str, Table]:
    return {table.name: table for table in mlab_tables(load_scores(results))}


def test_success_has_wilson_intervals_and_improvement_a_bootstrap(tables: dict[str, Table]) -> None:
    search, react = tables["table_mlagentbench"].rows
    assert (react["task"], react["agent"], react["runs"], react["valid"]) == (TASK, "react", 8, 7)
    expected = wilson(3, 8)
    assert (react["success"], react["success_low"], react["success_high"]) == (0.375, expected.low, expected.high)
    assert (react["success_5"], react["success_15"], react["success_20"], react["success_30"]) == (
        0.375,
        0.375,
        0.375,
        0.125,
    )
    assert (react["any_step"], react["beyond_noise"], react["submitted"]) == (0.5, 0.375, 1.0)
    assert react["improvement"] == pytest.approx((0.2 + 0.2 + 0.4 + 0.04 + 0 + 0 - 0.2) / 7)
    assert -0.2 < react["improvement_low"] < react["improvement"] < react["improvement_high"] < 0.4
    # a search agent on the same task stands beside it; it has nothing to submit, and its task's noise is not known
    assert (search["agent"], search["success"], search["submitted"], search["beyond_noise"]) == (
        "aide",
        1.0,
        None,
        None,
    )
    assert search["minutes"] == pytest.approx(1 / 60)


def test_error_classes_are_counted_once_and_flags_beside_them(tables: dict[str, Table]) -> None:
    rows = {row["class"]: row for row in tables["table_error_classes"].rows}
    assert tuple(rows) == (*CLASSES, *ASIDE)
    assert {name: row["count"] for name, row in rows.items() if row["count"]} == {
        "success": 3,
        "no_change": 3,
        "regression": 1,
        "unrepaired_error": 1,
    }
    assert sum(rows[name]["share"] for name in CLASSES) == pytest.approx(1.0)
    loop = rows["debugging_loop"]
    assert (loop["count"], loop["share"], loop["flagged"], loop["flagged_share"]) == (None, None, 2, 0.25)
    assert loop["flagged_share_low"] == wilson(2, 8).low


def test_rows_of_runs_name_class_and_flags(results: Path) -> None:
    columns = run_columns(load_scores(results))
    found = dict(zip(columns["run"].tolist(), zip(columns["error_class"], columns["flags"], strict=True), strict=True))
    assert found[f"react__{TASK.replace('/', '-')}__offline__s6"] == ("regression", "debugging_loop regression")
    assert found["aide__made-up-easy__offline__s0"] == ("", "")


def test_tables_appear_only_where_they_have_something_to_say(tmp_path: Path, journals: ModuleType) -> None:
    journals.write_run(tmp_path, journals.Run(steps=[journals.Step(0.7)], test=0.7))
    assert mlab_tables(load_scores(tmp_path)) == []
    journals.write_run(tmp_path, journals.Run(task=TASK, steps=[journals.Step(0.7)], test=0.7))
    assert [table.name for table in mlab_tables(load_scores(tmp_path))] == ["table_mlagentbench"]


def test_the_command_shows_and_writes_them(assay: Call, results: Path, tables: dict[str, Table]) -> None:
    done = assay("score", "results")
    assert done.returncode == 0, done.stderr
    for words in ("MLAgentBench", "38 [14, 69]", "debugging_loop", "1: 12 [2, 47] %"):
        assert words in done.stdout
    for name, table in tables.items():
        with (results / "scores" / f"{name}.csv").open() as file:
            rows = list(csv.DictReader(file))
        assert [row["agent"] for row in rows] == [row["agent"] for row in table.rows]
        assert list(rows[0]) == list(table.columns)
    told = json.loads(assay("score", "results", "--json").stdout)
    assert [table["table"] for table in told["tables"][4:]] == list(tables)


def test_files_hold_what_the_tables_hold(tables: dict[str, Table], tmp_path: Path) -> None:
    write_tables(list(tables.values()), tmp_path / "scores")
    for table in tables.values():
        plain = json.loads((tmp_path / "scores" / f"{table.name}.json").read_text())
        assert all(set(row) == set(table.columns) for row in [*plain["rows"], *table.rows])
    for _, heads, rows in shown(list(tables.values())):
        assert all(len(row) == len(heads) for row in rows)
