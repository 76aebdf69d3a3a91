"""The suites of briefs, and loading texts that are not ours."""

import hashlib
import json
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from assay.cli.research import command as research
from assay.cli.setup import command as setup
from assay.errors import AssayError, UsageError
from assay.research.briefs import brief_suites, brief_text, find_brief
from assay.research.data import DATA
from assay.research.plain.design import choose
from assay.research.texts import load_texts
from assay.tasks.installed import DATA_VARIABLE


@pytest.fixture(autouse=True)
def own_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(DATA_VARIABLE, str(tmp_path / "data"))
    return tmp_path / "data"


def test_the_published_counts_of_mlr_hold() -> None:
    briefs = brief_suites()["mlr"].briefs
    assert len({brief.id for brief in briefs}) == 201
    venues = Counter((brief.conference, brief.year) for brief in briefs)
    assert venues == {
        ("ICLR", 2023): 14,
        ("ICLR", 2024): 17,
        ("ICLR", 2025): 37,
        ("ICML", 2023): 18,
        ("ICML", 2024): 24,
        ("NeurIPS", 2023): 41,
        ("NeurIPS", 2024): 50,
    }
    assert Counter(brief.topic for brief in briefs) == {
        "Trustworthy AI": 53,
        "AI for Science": 50,
        "LLM/VLM": 39,
        "ML Theory": 32,
        "ML Systems": 9,
        "RL": 7,
        "Computer Vision": 6,
        "Others": 3,
        "Multimodality": 2,
    }
    assert sum(bool(brief.repeats) for brief in briefs) == 34
    assert all(find_brief(f"mlr/{other}") for brief in briefs for other in brief.repeats)


def test_the_subset_has_the_ten_tasks_whose_topics_are_published() -> None:
    ten = brief_suites()["mlr-10"].briefs
    assert len(ten) == 10
    assert {brief.id for brief in ten} == {b.id for b in brief_suites()["mlr"].briefs if b.topic_source == "published"}


def test_every_demo_brief_asks_what_the_offline_researcher_can_answer() -> None:
    demo = brief_suites()["mlr-demo"].briefs
    assert len(demo) == 4
    for brief in demo:
        said = " ".join(brief_text(brief).split())
        for seed, question in enumerate(brief.questions):
            assert question.text in said
            assert question.data in brief.data
            assert question.data in DATA
            assert choose(brief, seed).question == question


def test_a_task_without_its_text_shows_title_and_topic_and_the_cure() -> None:
    shown = CliRunner().invoke(research, ["show", "mlr/iclr2025_wsl"])
    assert shown.exit_code == 0
    assert find_brief("mlr/iclr2025_wsl").title in shown.output
    assert "ML Theory" in shown.output
    assert "assay setup mlr --from FOLDER" in shown.output


def test_known_defects_of_a_text_are_told() -> None:
    shown = CliRunner().invoke(research, ["show", "mlr/icml2024_mi"]).output
    assert "note: the title is that of a workshop on mechanistic interpretability" in shown
    assert (
        "mostly the same text as: neurips2024_opt"
        in CliRunner().invoke(research, ["show", "mlr/neurips2023_opt"]).output
    )


def test_suites_and_briefs_are_listed() -> None:
    suites = json.loads(CliRunner().invoke(research, ["list", "--json"]).output)
    assert {row["suite"]: row["briefs"] for row in suites} == {"mlr": "201", "mlr-10": "10", "mlr-demo": "4"}
    assert "ICLR 2025" in CliRunner().invoke(research, ["list", "mlr-10"]).output
    refused = CliRunner().invoke(research, ["list", "mlr-11"])
    assert isinstance(refused.exception, UsageError)
    assert "mlr-10" in refused.exception.hint


def test_setup_says_what_a_folder_lacks(tmp_path: Path) -> None:
    lacking = CliRunner().invoke(setup, ["mlr", "--from", str(tmp_path)])
    assert isinstance(lacking.exception, UsageError)
    assert "holds 0 of the 201 texts" in lacking.exception.message
    other = CliRunner().invoke(setup, ["fml", "--from", str(tmp_path)])
    assert isinstance(other.exception, UsageError)


def test_an_unknown_brief_names_the_nearest() -> None:
    with pytest.raises(UsageError) as raised:
        find_brief("mlr-demo/wrong_label")
    assert "mlr-demo/wrong_labels" in raised.value.hint


def _texts(folder: Path) -> dict[str, str]:
    """Three texts of our own in the published form, and their hashes."""
    folder.mkdir(parents=True)
    hashes = {}
    for name in ("one", "two", "three"):
        data = f"# {name}\n\nA call.\n".encode()
        (folder / f"{name}.md").write_bytes(data)
        hashes[name] = hashlib.sha256(data).hexdigest()
    return hashes


@pytest.mark.parametrize("inside", ["", "tasks"])
def test_texts_are_loaded_from_a_checkout_or_a_plain_folder(tmp_path: Path, inside: str, own_data_folder: Path) -> None:
    hashes = _texts(tmp_path / "copy" / inside)
    (tmp_path / "copy" / inside / "notes.md").write_text("not a task")
    loaded = load_texts("demo", hashes, tmp_path / "copy")
    assert (loaded.count, loaded.ignored) == (3, ("notes.md",))
    assert (own_data_folder / "demo" / "two.md").read_text() == "# two\n\nA call.\n"


def test_nothing_is_written_when_a_text_is_missing_or_changed(tmp_path: Path, own_data_folder: Path) -> None:
    hashes = _texts(tmp_path / "copy")
    (tmp_path / "copy" / "two.md").write_text("# two\r\n\r\nA call.\r\n")
    with pytest.raises(UsageError, match=r"1 of 3 texts .* not the published ones: two"):
        load_texts("demo", hashes, tmp_path / "copy")
    (tmp_path / "copy" / "two.md").unlink()
    with pytest.raises(UsageError, match=r"holds 2 of the 3 texts .* missing: two"):
        load_texts("demo", hashes, tmp_path / "copy")
    assert not own_data_folder.exists()


def test_a_loaded_text_that_was_changed_is_refused(own_data_folder: Path) -> None:
    brief = find_brief("mlr/iclr2025_wsl")
    (own_data_folder / "mlr").mkdir(parents=True)
    (own_data_folder / "mlr" / "iclr2025_wsl.md").write_text("another text")
    with pytest.raises(AssayError, match="not the published text"):
        brief_text(brief)
