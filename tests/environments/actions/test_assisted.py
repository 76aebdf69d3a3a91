"""Actions that ask a model: what it says is checked before it counts."""

from collections.abc import Callable
from typing import Any

import pytest

from assay.environments.actions.assisted import BLOCK, blocks
from assay.environments.actions.base import Helpers
from assay.environments.environment import Observation
from assay.models.testing import Say

FENCE = "```"
Edit = Callable[..., Observation]


@pytest.fixture
def edit(bench: Any, model: Any) -> Edit:
    """One edit by a model that answers so."""
    script, client = model

    def call(answer: str, stop: str = "stop", **given: Any) -> Observation:
        script.says(Say(answer, stop=stop))
        asking = bench.asking(Helpers(edit=client))
        arguments = {"script_name": "train.py", "edit_instruction": "make it steeper", "save_name": "train.py", **given}
        segment = "start_line_number" in given
        seen: Observation = asking("Edit Script Segment (AI)" if segment else "Edit Script (AI)", arguments)
        bench.last = asking.last
        return seen

    return call


def block(code: str, fence: str = FENCE) -> str:
    return f"Here it is:\n{fence}python\n{code}\n{fence}\nThat is all."


def test_an_edit_is_saved_and_its_difference_shown(bench: Any, edit: Edit) -> None:
    seen = edit(block("SLOPE = 3.0"))
    assert bench.workspace.text("train.py") == "SLOPE = 3.0\n"
    assert "saved as train.py" in seen.text and "-SLOPE = 1.0" in seen.text and "+SLOPE = 3.0" in seen.text
    assert [name for name, _, _ in bench.last.primitives] == ["Read File", "Write File"]


@pytest.mark.parametrize("save", ["src/train.py", "src/deep/other.py"])
def test_scripts_in_subfolders_are_edited_and_undone(save: str, bench: Any, edit: Edit) -> None:
    bench("Write File", file_name="src/train.py", content="X = 1\n")
    assert edit(block("X = 2"), script_name="src/train.py", save_name=save).kind == "ok"
    assert bench.workspace.text(save) == "X = 2\n"
    bench("Undo Edit Script", script_name=save)
    assert bench.workspace.text("src/train.py") == "X = 1\n" and bench.workspace.has(save) == (save == "src/train.py")


def test_undo_goes_by_the_name_that_was_saved_to(bench: Any, edit: Edit) -> None:
    bench("Write File", file_name="other.py", content="KEEP = 1\n")
    before = bench.workspace.text("train.py")
    edit(block("SLOPE = 3.0"), save_name="other.py")
    assert "no change of train.py" in bench("Undo Edit Script", script_name="train.py").text
    bench("Undo Edit Script", script_name="other.py")
    assert bench.workspace.text("other.py") == "KEEP = 1\n" and bench.workspace.text("train.py") == before


def test_a_script_that_is_not_there_is_begun(bench: Any, edit: Edit) -> None:
    assert edit(block("X = 1"), script_name="new.py", save_name="new.py").kind == "ok"
    assert bench.workspace.text("new.py") == "X = 1\n"


@pytest.mark.parametrize(
    ("answer", "stop", "reason"),
    [
        ("I changed the slope to 3.", "stop", "without a code block"),
        ("```python\nSLOPE = 3.0\n", "stop", "without a code block"),
        (block("SLOPE = 3.0"), "length", "cut off at the output limit"),
        ("```python\nSLOPE = ", "length", "cut off at the output limit"),
    ],
)
def test_an_answer_that_is_no_whole_script_is_not_saved(
    answer: str, stop: str, reason: str, bench: Any, edit: Edit
) -> None:
    before = bench.workspace.text("train.py")
    seen = edit(answer, stop)
    assert seen.kind == "error" and reason in seen.text
    assert bench.workspace.text("train.py") == before


@pytest.mark.parametrize(
    "code",
    [
        f'"""Usage:\n{FENCE}\nrun\n{FENCE}\n"""\nX = 1',
        f"TEXT = '''\n{FENCE}python\nx\n{FENCE}\n'''\nX = 1",
        'X = """\nObservation: it works\nAction: none\n"""',
        "print('a')  # ```",
    ],
)
@pytest.mark.parametrize("fence", [FENCE, "````", "~~~"])
def test_a_script_may_hold_fences_and_labels(code: str, fence: str, bench: Any, edit: Edit) -> None:
    edit(block(code, fence))
    assert bench.workspace.text("train.py") == f"{code}\n"


def test_of_two_code_blocks_the_first_counts(bench: Any, edit: Edit) -> None:
    edit(f"{block('X = 1')}\nOr else:\n{block('X = 2')}")
    assert bench.workspace.text("train.py") == "X = 1\n"


def test_what_is_thought_aloud_is_no_answer(bench: Any, edit: Edit) -> None:
    edit(f"<think>{block('X = 1')}</think>{block('X = 2')}")
    assert bench.workspace.text("train.py") == "X = 2\n"


def test_an_edit_that_breaks_the_script_is_saved_with_a_warning(bench: Any, edit: Edit) -> None:
    seen = edit(block("SLOPE = ("))
    assert seen.kind == "ok" and "not valid Python any more" in seen.text
    assert "Beware" not in edit(block("any (thing"), save_name="notes.md").text


def test_a_name_that_cannot_be_written_is_refused_before_a_model_is_paid(bench: Any, model: Any) -> None:
    script, client = model
    script.says(block("X = 1"))
    for name in ("train.csv", "../x.py", "data"):
        arguments = {"script_name": "train.py", "edit_instruction": "x", "save_name": name}
        assert bench.asking(Helpers(edit=client))("Edit Script (AI)", arguments).kind == "error"
    assert script.asked == []


def test_a_segment_that_begins_the_file_has_no_blank_line_before_it(bench: Any, edit: Edit) -> None:
    before = bench.workspace.text("train.py").splitlines()
    seen = edit(block("SLOPE = 3.0"), start_line_number=1, end_line_number=1)
    assert bench.workspace.text("train.py").splitlines() == ["SLOPE = 3.0", *before[1:]]
    # of the whole file, so that only what was changed is in it
    assert [line for line in seen.text.splitlines() if line.startswith(("-", "+"))] == [
        "--- ",
        "+++ ",
        "-SLOPE = 1.0",
        "+SLOPE = 3.0",
    ]


def test_the_model_sees_the_segment_alone_and_the_rest_stays_to_the_letter(bench: Any, model: Any) -> None:
    rest = "TEXT = '\x0c\u2028'\r\n"
    bench("Write File", file_name="train.py", content=f"A = 1\nB = 2\n{rest}")
    script, client = model
    script.says(block("B = 3\nC = 4"))
    arguments = {
        "script_name": "train.py",
        "start_line_number": "2",
        "end_line_number": 2,
        "edit_instruction": "x",
        "save_name": "train.py",
    }
    bench.asking(Helpers(edit=client))("Edit Script Segment (AI)", arguments)
    assert bench.workspace.text("train.py") == f"A = 1\nB = 3\nC = 4\n{rest}"
    assert "B = 2" in script.asked[0] and "A = 1" not in script.asked[0]


@pytest.mark.parametrize(("first", "last"), [(50, 60), (3, 2), (0, 0)])
def test_lines_that_are_not_there_are_refused(first: int, last: int, bench: Any, edit: Edit) -> None:
    assert edit(block("X = 1"), start_line_number=first, end_line_number=last).kind == "error"


def test_a_long_file_is_read_in_blocks_and_the_findings_are_put_together(bench: Any, model: Any) -> None:
    bench("Write File", file_name="long.txt", content="".join(f"row {n}\n" for n in range(4000)))
    script, client = model
    script.says("a finding")
    seen = bench.asking(Helpers(fast=client))(
        "Understand File", {"file_name": "long.txt", "things_to_look_for": "the rows"}
    )
    assert seen.text == "a finding" and len(script.asked) == 5
    assert "looked through in 4 parts" in script.asked[-1]


@pytest.mark.parametrize("text", ["", "one line", "x\n" * 20_000, "y" * 25_000, "z" * 12_000 + "\nend\n"])
def test_blocks_are_short_enough_and_lose_nothing(text: str) -> None:
    found = list(blocks(text))
    assert "".join(block for block, _ in found) == text
    assert all(len(block) < BLOCK for block, _ in found)


def test_the_research_log_is_reflected_on_and_searched(bench: Any, model: Any) -> None:
    script, client = model
    script.says("thoughts")
    asking = bench.asking(Helpers(fast=client))
    assert asking("Reflection", things_to_reflect_on="it").text.startswith("EnvError: cannot read research_log.log")
    asking("Append Summary to Research Log", content="Step 1: slope 2 helped")
    assert asking("Reflection", things_to_reflect_on="it").text == "Reflection: thoughts\n"
    assert asking("Retrieval from Research Log", current_plan="").text == "thoughts"
    assert all("slope 2 helped" in asked for asked in script.asked)
