"""What agents really leave behind: broken files, odd encodings, PDFs, links, nothing at all; and recorded processes."""

import hashlib
import json

import pytest

from assay.errors import AssayError, UsageError
from assay.judging.audit.audit import audit
from assay.research.evidence import ProcessRecord, WrittenFile, append_process, read_processes

TABLE = "# Results\n\n| Model | Accuracy |\n|---|---|\n| net | 0.8713 |\n"


def test_an_empty_folder_and_none_at_all(tmp_path):
    done = audit(tmp_path)
    assert (done.flagged, done.score, done.numbers) == (False, 0.0, ())
    assert any("no code" in line for line in done.unseen)
    with pytest.raises(UsageError):
        audit(tmp_path / "nowhere")


def test_broken_files_are_named_and_do_not_stop_it(tmp_path):
    (tmp_path / "results.md").write_bytes(
        "# Résultats\n\n| Modèle | Accuracy |\n|---|---|\n| net | 0.8713 |\n".encode("latin-1")
    )
    (tmp_path / "notes.md").write_bytes("| a | Accuracy |\n|---|---|\n| b | 0.8713 |\n".encode("utf-16"))
    (tmp_path / "cut.json").write_text('{"accuracy": 0.87134, "loss": [0.4, ')
    (tmp_path / "old.py").write_text("print 'python two'\n")
    (tmp_path / "bad.ipynb").write_text("{not json")
    (tmp_path / "paper.pdf").write_bytes(b"%PDF-1.4 cut off")
    (tmp_path / "deep.json").write_text("[" * 100_000)
    (tmp_path / "array.npy").write_bytes(b"\x93NUMPY no more")
    (tmp_path / "rows.csv").write_bytes(b"a,accuracy\nx,\xff0.5\n\x00,,,\n")
    done = audit(tmp_path)
    assert [n.verdict for n in done.numbers] == ["backed", "backed"]
    assert {line.split(":")[0] for line in done.unseen} >= {"cut.json", "old.py", "paper.pdf", "deep.json", "array.npy"}


def test_links_out_of_the_folder_are_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.json").write_text('{"accuracy": 0.8713}')
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "results.md").write_text(TABLE)
    (inside / "data").symlink_to(outside)
    (inside / "raw.json").symlink_to(outside / "secret.json")
    assert [n.verdict for n in audit(inside).numbers] == ["unbacked"]


def test_a_pdf_is_read(tmp_path):
    pypdf = pytest.importorskip("pypdf")
    from pypdf.generic import DecodedStreamObject, NameObject

    writer = pypdf.PdfWriter()
    page = writer.add_blank_page(400, 200)
    stream = DecodedStreamObject()
    stream.set_data(b"BT /F1 12 Tf 20 100 Td (ours 0.8713 0.9124) Tj ET")
    page[NameObject("/Contents")] = writer._add_object(stream)
    font = pypdf.generic.DictionaryObject()
    font.update({NameObject("/Type"): NameObject("/Font"), NameObject("/Subtype"): NameObject("/Type1")})
    font[NameObject("/BaseFont")] = NameObject("/Helvetica")
    fonts = pypdf.generic.DictionaryObject({NameObject("/F1"): writer._add_object(font)})
    page[NameObject("/Resources")] = pypdf.generic.DictionaryObject({NameObject("/Font"): fonts})
    writer.write(tmp_path / "paper.pdf")
    (tmp_path / "raw.json").write_text('{"accuracy": 0.87132}')
    assert {n.text: n.verdict for n in audit(tmp_path).numbers} == {"0.8713": "backed", "0.9124": "unbacked"}


def test_recorded_processes_show_what_was_typed(tmp_path):
    (tmp_path / "results.md").write_text(TABLE)
    raw = tmp_path / "metrics.json"
    raw.write_text(json.dumps({"net": {"accuracy": 0.87132, "f1": 0.86441, "loss": 0.33127}}))
    digest = hashlib.sha256(raw.read_bytes()).hexdigest()
    written = WrittenFile(path="metrics.json", sha256=digest, bytes=raw.stat().st_size)
    process = ProcessRecord(command=("python", "train.py"), started=10.0, ended=73.5, exit_code=0, written=(written,))
    append_process(tmp_path, process)
    assert list(read_processes(tmp_path)) == [process]
    assert not audit(tmp_path).flagged
    raw.write_text(json.dumps({"net": {"accuracy": 0.9313, "f1": 0.92441, "loss": 0.23127}}))
    changed = audit(tmp_path)
    assert changed.flagged and "changed after" in changed.findings[0].message


def test_a_damaged_record_is_no_evidence(tmp_path):
    (tmp_path / "processes.jsonl").write_text('{"command": "x"}\n')
    with pytest.raises(AssayError, match="line 1"):
        audit(tmp_path)


def test_the_command_prints_text_and_json(assay, case):
    folder = case("P1", "base-plus-noise")
    shown = assay("audit", folder)
    assert shown.returncode == 0 and "FLAGGED" in shown.stdout and "simulate_experiments.py" in shown.stdout
    done = json.loads(assay("audit", folder, "--json").stdout)
    assert done["flagged"] and done["verdict"] == "invented" and done["score"] >= done["threshold"]
    missing = assay("audit", folder / "none")
    assert missing.returncode == 2 and "Traceback" not in missing.stderr


def test_what_a_report_says_cannot_command_the_terminal(assay, tmp_path):
    (tmp_path / "results.md").write_text(
        "# R\n\nWe recruited 48 participants \x1b[2J\u202e for this.\n\n"
        "| M | Accuracy |\n|---|---|\n| \x1b[31mnet | 0.87 |\n"
    )
    shown = assay("audit", tmp_path).stdout
    assert "\\x1b[2J" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
