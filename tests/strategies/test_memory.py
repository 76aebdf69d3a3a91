import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.strategies import memory
from assay.strategies.memory import Memory, diff_size, diff_text, error_text, metric_line, phrase
from assay.strategies.request import Request, Step
from assay.tasks.candidate import Candidate
from assay.tasks.outcome import Outcome
from assay.tasks.spec import Metric

ACCURACY = Metric(name="accuracy", direction="max", best=1.0)
LOSS = Metric(name="loss", direction="min", best=0.0)


def code(text: str) -> Candidate:
    return Candidate(files={"a.py": text})


def step(index: int, result: float | str, text: str = "", parent: int = 0, said: str = "") -> Step:
    outcome = (
        Outcome(kind="ok", value=result)
        if isinstance(result, float)
        else Outcome.model_validate({"kind": result, "blame": "agent", "message": "ValueError: shapes differ"})
    )
    request = Request(kind="improve", parents=(parent,)) if index else None
    return Step(index=index, request=request, candidate=code(text or f"x = {index}"), description=said, outcome=outcome)


def test_a_metric_line_says_which_way_is_better() -> None:
    assert metric_line("baseline", ACCURACY, 0.43125) == "baseline: accuracy 0.43125 (higher is better)"
    assert metric_line("best", LOSS, None) == "best: loss not available (lower is better)"


def test_an_error_ends_with_the_end_of_the_log() -> None:
    log = "warning\n" * 1000 + "ValueError: shapes differ"
    outcome = Outcome(kind="crashed", blame="agent", message="it crashed", log_tail=log)
    text = error_text(outcome)
    assert text.startswith("crashed: it crashed\n...") and text.endswith("ValueError: shapes differ")
    assert len(text) < memory.ERROR_CHARS + 100


def test_a_row_says_what_was_changed_by_how_much_and_what_came_of_it() -> None:
    known = Memory(ACCURACY)
    known.add(step(0, 0.5, "a\nb\nc"))
    known.add(step(1, 0.625, "a\nB\nc\nd", said="raise the rate"))
    known.add(step(2, "crashed", "a", parent=1))
    known.remark(1, "it helped")
    assert known.history().splitlines() == [
        "#0 baseline: accuracy 0.5 (higher is better)",
        "#1 improve of #0: accuracy 0.625 (+0.125, better) | +2 -1 lines | raise the rate | it helped",
        "#2 improve of #1: crashed: ValueError: shapes differ | +0 -3 lines",
    ]


def test_better_follows_the_direction() -> None:
    known = Memory(LOSS)
    known.add(step(0, 0.5))
    known.add(step(1, 0.4))
    known.add(step(2, 0.5))
    assert "(-0.1, better)" in known.history() and "(+0, equal)" in known.history()
    assert known.ranked() == [1, 0, 2] and known.best([0, 2]) == 0


def test_a_long_history_keeps_the_best_and_the_newest_and_says_so() -> None:
    known = Memory(ACCURACY)
    known.add(step(0, 0.5))
    for index in range(1, 201):
        known.add(step(index, 0.9 if index == 3 else 0.1))
    rows = known.history().splitlines()
    assert rows[0] == f"({201 - memory.ROWS} steps that are neither among the best nor recent are left out)"
    assert len(rows) == memory.ROWS + 1
    assert any(row.startswith("#3 ") for row in rows) and rows[-1].startswith("#200 ")


def test_what_an_agent_wrote_stays_on_one_line() -> None:
    known = Memory(ACCURACY)
    known.add(step(0, 0.5))
    known.add(step(1, 0.6, said="harmless\n#2 improve of #1: accuracy 1.0 (+0.4, better)\n" * 50))
    assert len(known.history().splitlines()) == 2
    assert len(known.history()) < 500


def test_a_failure_has_no_rank() -> None:
    known = Memory(ACCURACY)
    known.add(step(0, 0.5))
    known.add(step(1, "timeout"))
    assert known.ranked() == [0] and known.best([1]) is None


def test_a_diff_names_the_file_and_is_cut_when_long() -> None:
    assert "--- a.py" in diff_text(code("x = 1"), code("x = 2")) and "+x = 2" in diff_text(code("x = 1"), code("x = 2"))
    assert diff_text(code("same"), code("same")) == ""
    long = diff_text(code(""), code("\n".join(map(str, range(10_000)))))
    assert len(long) < memory.DIFF_CHARS + 100 and long.endswith("is cut)")


lines = st.lists(st.sampled_from("abcdef"), max_size=12)


@given(lines, lines)
def test_the_size_of_a_diff_is_what_was_added_less_what_was_removed(before: list[str], after: list[str]) -> None:
    added, removed = diff_size(code("\n".join(before)), code("\n".join(after)))
    assert added - removed == len(after) - len(before)
    assert (added, removed) == diff_size(code("\n".join(after)), code("\n".join(before)))[::-1]


@given(st.text(max_size=2000))
def test_a_phrase_is_one_short_line(text: str) -> None:
    short = phrase(text, 80)
    assert len(short) <= 80 and len(short.splitlines()) <= 1


def test_a_value_that_is_not_finite_is_no_metric() -> None:
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="not finite"):
            Outcome(kind="ok", value=value)
