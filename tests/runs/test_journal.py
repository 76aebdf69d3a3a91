"""The journal: whole events or none, one writer, and no silent change of arguments."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.errors import AssayError, UsageError
from assay.runs.blobs import Blobs
from assay.runs.events import Called, Finished
from assay.runs.journal import Journal, JournalBusy, open_journal
from assay.runs.machine import machine, versions
from assay.runs.paths import RunPaths
from assay.runs.record import DamagedJournal, Header, read_events, read_run
from assay.runs.spec import Caps, RunSpec
from assay.sandbox.job import Isolation

SPEC = RunSpec(agent="nop", task="tiny/valley")


def opened(folder: Path, spec: RunSpec = SPEC) -> Journal:
    def header() -> Header:
        isolation = Isolation(level="none")
        return Header(spec=spec, task_digest="0", isolation=isolation, versions=versions(), machine=machine())

    return open_journal(RunPaths(folder), spec, header)


def test_events_are_on_disk_and_read_back_while_the_journal_is_open(tmp_path: Path) -> None:
    with opened(tmp_path / "run") as journal:
        written = journal.append(Finished, reason="steps", best=3)
        assert read_run(tmp_path / "run").events == (written,)


def test_a_cut_line_is_passed_over_by_readers_and_removed_by_the_next_writer(tmp_path: Path) -> None:
    with opened(tmp_path / "run") as journal:
        first = journal.append(Finished, reason="steps", best=1)
    events = tmp_path / "run" / "events.jsonl"
    whole = events.read_bytes()
    for cut in range(1, len(whole)):
        events.write_bytes(whole + whole[:cut])
        assert list(read_events(events)) == [first]
        with opened(tmp_path / "run") as journal:
            assert journal.recorded == [first]
        assert events.read_bytes() == whole


def test_a_broken_line_in_the_middle_is_named(tmp_path: Path) -> None:
    with opened(tmp_path / "run") as journal:
        journal.append(Finished, reason="steps", best=1)
    events = tmp_path / "run" / "events.jsonl"
    events.write_bytes(b'{"type": "danced"}\n' + events.read_bytes())
    with pytest.raises(DamagedJournal, match=r"events\.jsonl, line 1"):
        read_run(tmp_path / "run").events  # noqa: B018


def test_a_header_of_another_version_is_refused_by_name(tmp_path: Path) -> None:
    with opened(tmp_path / "run"):
        pass
    header = tmp_path / "run" / "run.json"
    header.write_text(json.dumps({**json.loads(header.read_text()), "schema_version": 2}))
    with pytest.raises(DamagedJournal, match=r"run\.json"):
        read_run(tmp_path / "run")


def test_only_one_writer_at_a_time(tmp_path: Path) -> None:
    with opened(tmp_path / "run"), pytest.raises(JournalBusy):
        opened(tmp_path / "run")
    with opened(tmp_path / "run") as journal:
        assert journal.recorded == []


def test_changed_arguments_are_refused_and_each_difference_is_named(tmp_path: Path) -> None:
    with opened(tmp_path / "run"):
        pass
    with pytest.raises(UsageError) as refusal:
        opened(tmp_path / "run", SPEC.model_copy(update={"caps": Caps(steps=99), "params": {"depth": 2}}))
    assert "caps.steps: was 20, is now 99" in refusal.value.hint
    assert "params.depth: was null, is now 2" in refusal.value.hint


@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text_comes_back_from_its_digest(text: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        blobs = Blobs(Path(folder))
        assert Blobs(Path(folder)).get(blobs.put(text)) == text


def test_a_damaged_text_is_never_given_out(tmp_path: Path) -> None:
    digest = Blobs(tmp_path).put("what was measured")
    (tmp_path / digest[:2] / digest[2:]).write_text("what was wished")
    with pytest.raises(AssayError, match="damaged"):
        Blobs(tmp_path).get(digest)


def test_clocks_add_up_and_hold_all_that_differs(tmp_path: Path) -> None:
    lines = []
    for name in ("a", "b"):
        with opened(tmp_path / name) as journal:
            journal.append(Called, key="k", prompt="p", answer="a", usage={"calls": 1})
            journal.append(Finished, reason="strategy", best=0)
        events = [json.loads(line) for line in (tmp_path / name / "events.jsonl").read_text().splitlines()]
        assert all(event.pop("clock")["seconds"] >= 0 for event in events)
        lines.append(events)
    assert lines[0] == lines[1]
