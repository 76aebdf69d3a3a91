"""Audits on the page: beside runs and alone, complete, and without a way out for what agents wrote."""

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from assay.embedding.tokens import Tokens
from assay.judging.audit.audit import audit
from assay.report import audits as page_audits
from assay.report.audits import audit_all, audit_data
from assay.report.static import write_audits, write_report

from .conftest import WHOLE
from .test_static import data_in

MARKUP = "<img src=x onerror='window.hacked=1'>"
CELL = MARKUP + "</td></table><script>window.hacked=1</script>"
INVENTED = {
    "code/run_all.py": f"""# {WHOLE}
import json, random
results = {{}}
for method in ["{CELL}", "ours"]:
    results[method] = {{"accuracy": 0.81 + (0.06 if method == "ours" else 0.0) + random.gauss(0, 0.01)}}
json.dump(results, open("results/raw.json", "w"))
""",
    "results/raw.json": json.dumps({CELL: {"accuracy": 0.8142}, "ours": {"accuracy": 0.8799}}),
    "results/results.md": f"# {WHOLE}\n\nWe trained every model for 30 epochs.\n\n"
    f"| Method | Accuracy |\n|---|---|\n| {CELL} | 0.814 |\n| ours | 0.913 |\n\n"
    f"We recruited 48 participants {MARKUP} through a mailing list.\n",
}
HONEST = {
    "code/run.py": """import json
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression
x, y = load_digits(return_X_y=True)
model = LogisticRegression().fit(x[:900], y[:900])
json.dump({"accuracy": model.score(x[900:], y[900:])}, open("results/digits.json", "w"))
""",
    "results/digits.json": '{"accuracy": 0.8974358974358975}',
    "results/results.md": "# Digits\n\n| Model | Accuracy |\n|---|---|\n| logistic regression | 0.897 |\n",
}


def lay(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


@pytest.fixture(scope="module")
def research(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("audited") / "research"
    lay(root / "<b>invented", INVENTED)
    lay(root / "honest", HONEST)
    return root


@pytest.fixture(scope="module")
def alone(research: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("alone") / "audit.html"
    write_audits(file, audit_all([research]))
    return file.as_uri()


@pytest.fixture(scope="module")
def beside(results: Path, research: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("beside") / "report.html"
    write_report(results, file, Tokens(), audit_all([research]))
    return file.as_uri()


def test_a_collection_is_audited_piece_by_piece_and_a_single_one_as_it_is(research: Path) -> None:
    assert [Path(done.folder).name for done in audit_all([research])] == ["<b>invented", "honest"]
    assert [Path(done.folder).name for done in audit_all([research / "honest"])] == ["honest"]


def test_the_page_says_what_the_audit_says(research: Path) -> None:
    done = audit(research / "<b>invented")
    shown = audit_data([done])["folders"][0]
    assert (shown["flagged"], shown["score"], shown["verdict"]) == (done.flagged, done.score, done.verdict)
    assert done.flagged
    assert sum(shown["counts"].values()) == len(done.numbers)
    assert [f["message"] for f in shown["findings"]] == [f.message for f in done.findings]
    places = [(e["file"], e["line"], e["quote"][:300]) for f in shown["findings"] for e in f["evidence"]]
    assert places == [(e.file, e.line, e.quote[:300]) for f in done.findings for e in f.evidence]


def test_what_is_too_much_is_counted_and_what_is_in_doubt_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "".join(f"| run {i} | {0.5 + i / 1000:.3f} |\n" for i in range(30))
    raw = json.dumps([{"name": f"run {i}", "accuracy": 0.5 + i / 1000} for i in range(20)])
    lay(tmp_path, {"results.md": f"# Runs\n\n| Run | Accuracy |\n|---|---|\n{rows}", "raw.json": raw})
    monkeypatch.setattr(page_audits, "LISTED", 12)
    shown = audit_data([audit(tmp_path)])["folders"][0]
    assert sum(shown["counts"].values()) == 30
    assert len(shown["numbers"]) == 12
    ranks = [page_audits.ORDER.index(number["verdict"]) for number in shown["numbers"]]
    assert ranks == sorted(ranks)


def test_the_command_writes_audits_beside_runs_or_alone(
    assay: Callable[..., "CompletedProcess[str]"], results: Path, research: Path, tmp_path: Path
) -> None:
    both = assay("report", results, "--research", research, "-o", "both.html")
    assert both.returncode == 0, both.stderr
    assert "2 research folders, 1 flagged" in both.stdout
    data = data_in((tmp_path / "both.html").read_text())
    assert data["runs"]
    assert [each["flagged"] for each in data["audits"]["folders"]] == [True, False]
    alone = assay("report", "--research", research / "honest", "-o", "alone.html")
    assert alone.returncode == 0, alone.stderr
    page = (tmp_path / "alone.html").read_text()
    assert data_in(page)["runs"] == []
    assert len(page) < 200_000
    assert page.count("<script>") == 1
    missing = assay("report", "--research", "nowhere")
    assert missing.returncode == 2
    assert "Traceback" not in missing.stderr


@pytest.mark.browser
def test_the_audit_view_alone_shows_every_finding_with_its_evidence(page: Any, alone: str) -> None:
    page.goto(alone)
    page.wait_for_selector('main[data-ready="audit"]')
    assert page.locator("#filters").is_hidden()
    assert page.locator("nav a").all_inner_texts() == ["Audit"]
    assert page.locator(".finding").count() >= 1
    assert page.locator(".evidence .place").first.inner_text()
    page.get_by_role("link", name="honest").click()
    page.get_by_role("heading", name="honest").wait_for()
    assert "folder=" in page.url
    page.locator("details summary", has_text="that hold").click()
    assert "0.897" in page.locator("main").inner_text()
    page.set_viewport_size({"width": 400, "height": 800})
    page.locator("#theme").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 400, "the page itself must not scroll sideways"


@pytest.mark.browser
@pytest.mark.parametrize("where", ["alone", "beside"])
def test_hostile_reports_and_code_stay_text(page: Any, where: str, request: pytest.FixtureRequest) -> None:
    page.goto(f"{request.getfixturevalue(where)}#view=audit")
    page.wait_for_selector('main[data-ready="audit"]')
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    shown = page.locator("main").inner_text()
    assert MARKUP in shown
    assert "<b>invented" in shown
    assert not page.locator("main img, main script, main iframe, main b, main a[href^='javascript']").count()


@pytest.mark.browser
def test_runs_and_audits_stand_on_one_page(page: Any, beside: str) -> None:
    page.goto(beside)
    page.wait_for_selector('main[data-ready="leaderboard"]')
    page.get_by_role("link", name="Audit").click()
    page.wait_for_selector('main[data-ready="audit"]')
    assert "1 of 2 folders flagged" in page.locator("main").inner_text()
    page.go_back()
    page.wait_for_selector('main[data-ready="leaderboard"]')
    assert page.locator("#filters").is_visible()
