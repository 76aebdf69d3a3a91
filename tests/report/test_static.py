"""The report as a file: whole, small, and without a way out."""

import base64
import gzip
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from types import ModuleType
from typing import Any

import pytest

from assay.embedding.tokens import Tokens
from assay.report import static
from assay.report.maps import exploration_maps
from assay.report.static import write_report
from assay.scoring.scores import load_scores


def data_in(page: str) -> Any:
    packed = re.search(r'id="packed-data">([^<]*)<', page)
    assert packed
    return json.loads(gzip.decompress(base64.b64decode(packed[1])))


def test_one_file_that_asks_for_nothing(
    assay: Callable[..., "CompletedProcess[str]"], results: Path, tmp_path: Path
) -> None:
    done = assay("report", results, "-o", "deep/report.html")
    page = (tmp_path / "deep" / "report.html").read_text()
    assert done.returncode == 0, done.stderr
    assert "default-src 'none'" in page
    assert "connect-src" not in page
    assert not re.search(r"<(link|img|iframe|object)|\ssrc=|@import|url\(", page.split("<script>")[0])
    assert page.count("<script>") == 1, "nothing an agent wrote is in the markup"
    assert len(page) < 3_000_000


def test_the_page_says_what_scoring_says(results: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    scores = write_report(results, file, Tokens())
    data = data_in(file.read_text())
    assert [run["id"] for run in data["runs"]] == [run.run_id for run in scores.runs]
    for row, run in zip(data["runs"], scores.runs, strict=True):
        assert row["score"] == run.score
        assert len(row["steps"]["kind"]) == len(run.steps)
    assert not list(tmp_path.glob(".*")), "no half-written file is left behind"


def test_too_many_steps_leave_out_code_and_say_so(
    results: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static, "DETAIL_STEPS", 20)
    write_report(results, tmp_path / "report.html", None)
    data = data_in((tmp_path / "report.html").read_text())
    held = sum(len(steps) for steps in data["details"].values())
    assert 0 < held <= 20
    assert f"the code of {held} of " in data["detailNote"]


def test_lost_code_costs_the_steps_and_not_the_report(journals: ModuleType, results: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(results, copy, ignore=shutil.ignore_patterns(".cache"))
    shutil.rmtree(copy / "blobs")
    write_report(copy, tmp_path / "report.html", Tokens())
    data = data_in((tmp_path / "report.html").read_text())
    assert data["runs"]
    assert data["maps"] == {}


def test_equal_code_lies_at_one_place_and_the_baseline_is_shared(results: Path) -> None:
    runs = [run for run in load_scores(results).runs if run.task == "made-up/task-00" and run.agent != "live-agent"]
    maps = exploration_maps(results, runs, Tokens())
    assert len({tuple(places[0]) for places in maps.values()}) == 1
    assert all(len(maps[run.run_id]) == len(run.steps) + 1 for run in runs)


def test_a_folder_without_runs_is_a_mistake_with_a_cure(
    assay: Callable[..., "CompletedProcess[str]"], tmp_path: Path
) -> None:
    for command in (("report",), ("view",), ("show", "x", "--results")):
        done = assay(*command, tmp_path / "nowhere")
        assert done.returncode == 2
        assert "holds no runs" in done.stderr
        assert "Traceback" not in done.stderr
