"""Actions on files: what they say, and that every change can be taken back."""

from typing import Any

import pytest


def test_files_are_listed_one_level_at_a_time(bench: Any) -> None:
    bench("Write File", file_name="src/deep/a.py", content="")
    assert bench("List Files", dir_path=".").text.split("\n") == ["data/", "notes.txt", "src/", "train.csv", "train.py"]
    assert bench("List Files", dir_path="src/").text == "deep/"
    assert bench("List Files", dir_path="nowhere").text.startswith("EnvError: cannot list nowhere")


@pytest.mark.parametrize(
    ("action", "arguments"),
    [
        ("Write File", {"file_name": "sub/a.py", "content": "new"}),
        ("Append File", {"file_name": "sub/a.py", "content": "more"}),
        ("Copy File", {"source": "train.py", "destination": "sub/a.py"}),
        ("Replace in File", {"file_name": "sub/a.py", "old": "old", "new": "new"}),
        ("Append Summary to Research Log", {"content": "a note"}),
    ],
)
def test_whatever_wrote_a_file_can_be_undone(action: str, arguments: dict[str, str], bench: Any) -> None:
    name = "research_log.log" if "Log" in action else "sub/a.py"
    bench("Write File", file_name=name, content="old\n")
    assert bench(action, arguments).kind == "ok"
    assert bench.workspace.text(name) != "old\n"
    assert bench("Undo Edit Script", script_name=name).text == f"{name} as it was before its last change:\nold\n"
    assert bench.workspace.text(name) == "old\n"


def test_two_edits_in_one_second_are_two_steps_back(bench: Any) -> None:
    for content in ("1", "2", "3"):
        bench("Write File", file_name="a.py", content=content)
    # what begins alike is another file
    bench("Write File", file_name="a.py_2", content="other")
    for content in ("2", "1"):
        bench("Undo Edit Script", script_name="./a.py")
        assert bench.workspace.text("a.py") == content
    assert "did not exist before" in bench("Undo Edit Script", script_name="a.py").text
    assert not bench.workspace.has("a.py") and bench.workspace.text("a.py_2") == "other"
    assert "no change of a.py to undo" in bench("Undo Edit Script", script_name="a.py").text


def test_what_a_script_overwrote_can_be_undone_also_if_it_was_no_text(bench: Any) -> None:
    bench.script("open('weights', 'wb').write(b'\\xff\\xfe')")
    bench.script("open('weights', 'w').write('text')")
    assert bench("Undo Edit Script", script_name="weights").kind == "ok"
    assert bench.workspace.read("weights") == b"\xff\xfe"


def test_a_write_that_changes_nothing_is_nothing_to_undo(bench: Any) -> None:
    bench("Write File", file_name="a.py", content="1")
    bench("Write File", file_name="a.py", content="1")
    bench("Undo Edit Script", script_name="a.py")
    assert not bench.workspace.has("a.py")


@pytest.mark.parametrize(
    ("action", "arguments"),
    [
        ("Write File", {"file_name": "train.csv", "content": "x"}),
        ("Write File", {"file_name": "./train.csv", "content": "x"}),
        ("Append File", {"file_name": "data//test.csv", "content": "x"}),
        ("Copy File", {"source": "train.py", "destination": "./data/test.csv"}),
        ("Replace in File", {"file_name": "train.csv", "old": "x,y", "new": "y,x"}),
        ("Undo Edit Script", {"script_name": "train.csv"}),
    ],
)
def test_a_read_only_file_stays_as_it_is_however_it_is_spelt(
    action: str, arguments: dict[str, str], bench: Any
) -> None:
    seen = bench(action, arguments)
    assert seen.kind == "error" and "read-only" in seen.text
    assert set(bench.workspace.own) == {"train.py"}


@pytest.mark.parametrize("name", ["../workspace_other/a.py", "/tmp/a.py", "..", "sub/../../a.py"])
def test_no_action_reaches_out_of_the_workspace(name: str, bench: Any) -> None:
    for action, arguments in (
        ("List Files", {"dir_path": name}),
        ("Read File", {"file_name": name}),
        ("Write File", {"file_name": name, "content": "x"}),
        ("Append File", {"file_name": name, "content": "x"}),
        ("Copy File", {"source": name, "destination": "a"}),
        ("Copy File", {"source": "train.py", "destination": name}),
        ("Undo Edit Script", {"script_name": name}),
        ("Execute Script", {"script_name": name}),
        ("Inspect Script Lines", {"script_name": name, "start_line_number": 1, "end_line_number": 2}),
    ):
        assert "not in the work directory" in bench(action, arguments).text


def test_text_is_replaced_only_where_it_occurs_once(bench: Any) -> None:
    assert bench("Replace in File", file_name="train.py", old="SLOPE = 1.0", new="SLOPE = 3.0").kind == "ok"
    assert "SLOPE = 3.0\n" in bench.workspace.text("train.py")
    for old, count in (("SLOPE", 3), ("nowhere", 0), ("", 0)):
        assert f"occurs {count} times" in bench("Replace in File", file_name="train.py", old=old, new="x").text


@pytest.mark.parametrize("content", [5, None, True, "\ud800"])
def test_what_is_no_text_of_a_file_is_not_written(content: object, bench: Any) -> None:
    assert bench("Write File", file_name="a", content=content).kind == "error"
    assert bench("Append File", file_name="a", content=content).kind == "error"
    assert not bench.workspace.has("a")


def inspected(bench: Any, first: object, last: object) -> Any:
    return bench("Inspect Script Lines", script_name="long.py", start_line_number=first, end_line_number=last)


def test_up_to_a_hundred_lines_are_inspected(bench: Any) -> None:
    bench("Write File", file_name="long.py", content="".join(f"line {n}\n" for n in range(1, 301)))
    seen = inspected(bench, "201", 300)
    assert seen.text.startswith("Lines 201 to 300 of long.py, which has 300 in all:\nline 201\n")
    assert seen.text.endswith("line 300")
    assert inspected(bench, -5, 2).text.endswith(":\nline 1\nline 2")
    assert inspected(bench, 299, 320).text.endswith("line 300")


@pytest.mark.parametrize(
    ("first", "last"),
    [(1, 101), (1, 300), (1, -1), (5, 4), (301, 302), ("one", 2), (None, 2), (float("inf"), 2), (1, float("nan"))],
)
def test_other_lines_are_refused(first: object, last: object, bench: Any) -> None:
    bench("Write File", file_name="long.py", content="".join(f"line {n}\n" for n in range(1, 301)))
    seen = inspected(bench, first, last)
    assert seen.kind == "error" and "line 1\n" not in seen.text


def test_only_a_line_break_ends_a_line(bench: Any) -> None:
    bench("Write File", file_name="long.py", content="a = '\x0c \u2028'\nb = 2\n")
    assert "has 2 in all" in inspected(bench, 2, 2).text and inspected(bench, 2, 2).text.endswith("b = 2")
