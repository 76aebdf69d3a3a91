"""Numbers are traced to raw values, to what derives from them, or to nothing."""

import json

from hypothesis import given
from hypothesis import strategies as st

from assay.judging.audit.audit import audit
from assay.judging.audit.documents.tables import numbers_in
from assay.judging.audit.sources.values import Source, ValueIndex
from assay.judging.audit.tracing import derivation

RUNS = {"ours": {"accuracy": [0.81237, 0.79012, 0.80451]}, "base": {"accuracy": [0.75119, 0.76203, 0.74877]}}


def lay(folder, table):
    (folder / "results").mkdir()
    (folder / "results/runs.json").write_text(json.dumps(RUNS))
    (folder / "results/results.md").write_text(f"# Results\n\n| Method | Accuracy |\n|---|---|\n{table}\n")
    return {n.text: n for n in audit(folder).numbers}


def test_raw_values_means_and_steps_are_told_apart(tmp_path):
    values = {
        "ours, seed 0": "0.8124",
        "ours, mean": "0.802",
        "base, mean": "75.40%",
        "gain": "0.048",
        "other": "0.913",
    }
    found = lay(tmp_path, "\n".join(f"| {row} | {value} |" for row, value in values.items()))
    assert {text: n.verdict for text, n in found.items()} == {
        "0.8124": "backed",
        "0.802": "derived",
        "75.40%": "derived",
        "0.048": "derived",
        "0.913": "unbacked",
    }
    assert found["0.8124"].source.file == "results/runs.json"
    assert "mean of 3 values" in found["0.802"].how


def test_a_log_backs_a_number_with_its_line(tmp_path):
    (tmp_path / "log.txt").write_text("starting\nfinal accuracy 0.7316 after 3 epochs\n")
    (tmp_path / "results.md").write_text("| Model | Accuracy |\n|---|---|\n| net | 0.7316 |\n")
    (number,) = audit(tmp_path).numbers
    assert (number.verdict, str(number.source)) == ("backed", "log.txt:2")


@given(st.floats(-1e6, 1e6), st.integers(1, 8))
def test_a_rounded_value_is_always_found(value, decimals):
    index = ValueIndex()
    index.add_one(value, Source("raw.json", "value"))
    (printed, *_) = numbers_in(f"{value:.{decimals}f}") or [None]
    assert printed is not None and index.find(printed) is not None


@given(st.floats(1, 100), st.floats(1, 100))
def test_differences_and_relative_changes_are_derivations(a, b):
    for text in (f"{a - b:.2f}", f"{100 * (a - b) / b:.1f}%"):
        (printed,) = numbers_in(text)
        assert abs(a - b) < 1e-9 or derivation(printed, [a, b]) is not None


@given(st.text(max_size=300))
def test_any_text_can_be_read_for_numbers(text):
    assert all(n.value == n.value for n in numbers_in(text))
