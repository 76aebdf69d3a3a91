"""The plain researcher, end to end."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from assay.cli.research import command as research
from assay.errors import AssayError, UsageError
from assay.judging.audit.audit import audit
from assay.research.bench import Bench
from assay.research.briefs import Brief, brief_suites, find_brief
from assay.research.evidence import read_processes
from assay.research.literature.local import LocalLibrary
from assay.research.paths import ResearchPaths
from assay.research.plain.researcher import PlainResearcher
from assay.research.run import Plan, models_by_stage, run_research
from assay.research.stages import STAGES, WRITES, Desk
from assay.research.state import read_state
from assay.sandbox.job import Job, Result


def test_every_stage_leaves_its_text_and_is_recorded(offline_folder: Path) -> None:
    state = read_state(offline_folder)
    assert list(state.stages) == list(STAGES)
    for stage, record in state.stages.items():
        assert record.status == "done"
        assert (offline_folder / WRITES[stage]).stat().st_size > 100
        assert list(record.read) == [WRITES[earlier] for earlier in STAGES[: STAGES.index(stage)]]
    assert state.isolation is not None
    (process,) = read_processes(offline_folder)
    assert process.exit_code == 0
    assert {"results/runs.csv", "results/summary.json", "results/curves.svg"} == {f.path for f in process.written}


def test_every_number_in_the_papers_tables_is_in_the_recorded_summary(offline_folder: Path) -> None:
    summary = json.loads((offline_folder / "results/summary.json").read_text())
    known = {f"{abs(value):.3f}" for value in _numbers(summary)} | {f"{level:g}" for level in summary["levels"]}
    known.add("95")  # of the intervals
    rows = [line for line in (offline_folder / WRITES["paper"]).read_text().splitlines() if line.startswith("|")]
    printed = [number for row in rows for number in re.findall(r"\d+(?:\.\d+)?", row)]
    assert len(printed) > 30
    assert set(printed) <= known


def test_the_figure_is_a_drawing_of_the_measured_series(offline_folder: Path) -> None:
    drawing = ElementTree.parse(offline_folder / "results/curves.svg").getroot()
    texts = [element.text for element in drawing.iter("{http://www.w3.org/2000/svg}text")]
    summary = json.loads((offline_folder / "results/summary.json").read_text())
    assert {curve["method"] for curve in summary["curves"]} <= set(texts)
    assert len(list(drawing.iter("{http://www.w3.org/2000/svg}polyline"))) == len(summary["curves"])


def test_the_audit_finds_the_paper_clean(offline_folder: Path) -> None:
    found = audit(offline_folder)
    assert not found.flagged
    assert found.findings == ()
    assert {number.verdict for number in found.numbers} <= {"backed", "derived"}


def test_the_same_call_again_does_nothing(offline_folder: Path) -> None:
    before = {file: file.stat().st_mtime_ns for file in offline_folder.rglob("results/*")}
    told = []
    plan = Plan(brief=find_brief("mlr-demo/wrong_labels"), models=models_by_stage(()), seed=2)
    run_research(plan, offline_folder, watch=lambda stage, what: told.append(what))
    assert told == ["there"] * 5
    assert before == {file: file.stat().st_mtime_ns for file in offline_folder.rglob("results/*")}


def test_another_seed_needs_another_folder(offline_folder: Path) -> None:
    plan = Plan(brief=find_brief("mlr-demo/wrong_labels"), models=models_by_stage(()), seed=1)
    with pytest.raises(UsageError, match="with seed 2"):
        run_research(plan, offline_folder)


def test_status_shows_stages_and_cost(offline_folder: Path) -> None:
    shown = CliRunner().invoke(research, ["status", str(offline_folder), "--json"])
    told = json.loads(shown.output)
    assert told["brief"] == "mlr-demo/wrong_labels"
    assert [told["stages"][stage]["model"] for stage in STAGES] == ["offline"] * 5
    assert told["usage"] == {}


class Nowhere:
    """A sandbox in which nothing can run."""

    def run(self, job: Job) -> Result:
        return Result("crashed", message="nothing runs here")


@pytest.mark.parametrize("brief", brief_suites()["mlr-demo"].briefs, ids=lambda brief: brief.name)
def test_every_question_becomes_a_program_and_a_failed_run_no_results(brief: Brief, tmp_path: Path) -> None:
    for seed, question in enumerate(brief.questions):
        paths = ResearchPaths(tmp_path / str(seed))
        desk = Desk(brief, "", paths, seed, LocalLibrary((), ""), Bench(paths, Nowhere(), brief.data))
        with pytest.raises(AssayError, match="nothing runs here"):
            PlainResearcher().experiments(desk)
        code = (paths.code / "experiment.py").read_text()
        compile(code, "experiment.py", "exec")
        assert question.text in code
        assert not (paths.results / "results.md").exists()


def test_offline_cannot_research_a_brief_without_questions(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "brief.toml").write_text('title = "Mine"\ntopic = "RL"\n')
    (folder / "brief.md").write_text("# Mine\n")
    (tmp_path / "lit.bib").write_text("@misc{a, title={T}}")
    plan = Plan(brief=find_brief(str(folder)), models=models_by_stage(()), literature=str(tmp_path / "lit.bib"))
    with pytest.raises(UsageError, match="finds no question"):
        run_research(plan, tmp_path / "out")


def _numbers(value: object) -> list[float]:
    if isinstance(value, dict):
        return [number for item in value.values() for number in _numbers(item)]
    if isinstance(value, list):
        return [number for item in value for number in _numbers(item)]
    return [float(value)] if isinstance(value, int | float) else []
