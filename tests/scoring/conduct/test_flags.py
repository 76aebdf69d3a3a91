"""What went wrong in interactive runs: every flag on a journal made for it, and on one that merely looks alike."""

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from assay.scoring.conduct.conduct import FLAGS, Conduct
from assay.scoring.conduct.trace import last_error
from assay.scoring.mlab.classes import ASIDE, CLASSES, error_class, error_flags
from assay.scoring.scores import load_scores
from assay.scoring.summary import RunSummary
from assay.tasks.spec import Noise

SCRIPT = "algorithm.py"


@pytest.fixture
def made(tmp_path: Path, journals: ModuleType) -> Any:
    """A run of these turns, that submitted its last step, read back from disk."""

    def make(turns: list[Any], **fields: Any) -> RunSummary:
        steps = sum(turn.step is not None for turn in turns)
        defaults = {"agent": "react", "reason": "submitted", "submitted": steps, "test": 0.6}
        journals.write_run(tmp_path, journals.Run(turns=turns, **{**defaults, **fields}))
        (run,) = load_scores(tmp_path).runs
        assert load_scores(tmp_path).runs[0].conduct == run.conduct  # from what is remembered
        return run

    return make


@pytest.fixture
def turn(journals: ModuleType) -> Any:
    return journals.Turn


@pytest.fixture
def runs_it(turn: Any) -> Any:
    def make(output: str = "accuracy 0.6", code: int | None = 0, script: str = SCRIPT, **fields: Any) -> Any:
        return turn("Execute Script", {"script_name": script}, output, ran=script, exit_code=code, **fields)

    return make


@pytest.fixture
def edits(turn: Any) -> Any:
    return lambda text="x = 2\n", path=SCRIPT: turn("Write File", {}, "written", changes={path: text})


@pytest.fixture
def submits(turn: Any, journals: ModuleType) -> Any:
    def make(answer: Any = "Done.", value: float | None = 0.6, **fields: Any) -> Any:
        step = journals.Step(value, "ok" if value is not None else "crashed", {SCRIPT: "x = 2\n"})
        return turn("Final Answer", {"final_answer": answer}, "end", "end", ends="submitted", step=step, **fields)

    return make


@pytest.fixture
def capped(turn: Any, journals: ModuleType) -> Any:
    """The last turn, which the harness takes."""

    def make(reason: str = "turns", value: float | None = 0.6) -> Any:
        step = journals.Step(value, "ok" if value is not None else "crashed", {SCRIPT: "x = 2\n"})
        return turn("", {}, "", "closed", ends=reason, step=step)

    return make


def conduct(run: RunSummary) -> Conduct:
    assert run.conduct is not None
    return run.conduct


def test_a_plain_run_is_called_by_its_result_alone(made: Any, runs_it: Any, edits: Any, submits: Any) -> None:
    run = made([runs_it("accuracy 0.5"), edits(), runs_it(), submits("Accuracy rose from 0.5 to 0.6.")])
    assert conduct(run) == Conduct(turns=4, executions=2, failed=0)
    assert error_class(run) == "success"
    assert error_flags(run) == {"success"}


def test_search_agents_and_unfinished_runs_have_no_class(
    made: Any, runs_it: Any, tmp_path: Path, journals: ModuleType
) -> None:
    unfinished = made([runs_it(code=1)], finished=False)
    assert conduct(unfinished) == Conduct(turns=1, executions=1, failed=1)
    assert error_class(unfinished) is None and not error_flags(unfinished)
    journals.write_run(tmp_path / "other", journals.Run(steps=[journals.Step(0.7)], test=0.6))
    (search,) = load_scores(tmp_path / "other").runs
    assert search.conduct is None and error_class(search) is None


def test_memory_work_is_no_turn(made: Any, turn: Any, submits: Any) -> None:
    noted = turn("Append Summary to Research Log", bookkeeping=True, changes={"research_log.log": "accuracy 0.99"})
    assert conduct(made([turn(), noted, submits()])).turns == 2


def test_response_format(made: Any, turn: Any, capped: Any, submits: Any) -> None:
    bad = [turn(kind="format"), turn(kind="unknown"), turn(kind="arguments")]
    assert error_class(made([turn(), turn(kind="format", ends="format")], reason="format")) == "response_format"
    assert error_class(made([turn(), *bad, capped()], reason="turns")) == "response_format"
    # it found its way again, or there were too few
    assert "response_format" not in conduct(made([*bad, submits()])).flags
    assert conduct(made([*bad, turn(retries=2), submits()])).malformed == 5
    assert "response_format" not in conduct(made([*bad, turn(), capped()], reason="turns")).flags
    assert "response_format" not in conduct(made([turn(), *bad[1:], capped()], reason="turns")).flags


@pytest.mark.parametrize(("reason", "exhausted"), [("context", True), ("tokens", True), ("turns", False)])
def test_context_exhausted(made: Any, turn: Any, capped: Any, reason: str, exhausted: bool) -> None:
    run = made([turn(), capped(reason)], reason=reason)
    assert ("context_exhausted" in conduct(run).flags) is exhausted
    assert (error_class(run) == "context_exhausted") is exhausted


def test_infrastructure(made: Any, turn: Any, capped: Any, submits: Any) -> None:
    failed = turn("Edit Script (AI)", observation="LLMError: no answer", kind="model")
    assert error_class(made([turn(), capped("sweep-usd")], reason="sweep-usd")) == "infrastructure"
    assert error_class(made([turn(), failed, capped()], reason="turns")) == "infrastructure"
    spoilt = made([submits()], test=None, test_kind="crashed", test_blame="infrastructure")
    assert error_class(spoilt) == "infrastructure"
    assert "unrepaired_error" not in conduct(spoilt).flags
    # a failure that was got over is none
    assert error_class(made([failed, turn(), submits()])) == "success"
    assert "infrastructure" not in conduct(made([failed, turn(), capped()], reason="turns")).flags


@pytest.mark.parametrize(
    ("kind", "message", "found"),
    [
        ("invalid_output", "the script left no file submission.csv", "no_submission"),
        (
            "invalid_output",
            "the evaluator refused what the script left: FileNotFoundError: submission.csv",
            "no_submission",
        ),
        ("invalid_output", "submission.csv has 3 rows, expected 10", "submission_format"),
        ("constraint", "memory 3 > 2", "submission_format"),
        ("tampering", "the script changed the read-only file train.csv", "submission_format"),
        ("crashed", "FileNotFoundError: helper.txt", "unrepaired_error"),
        ("timeout", "took longer than 30 s", "unrepaired_error"),
        ("out_of_memory", "needed more than 1024 MB", "unrepaired_error"),
    ],
)
def test_a_submission_without_a_result_is_told_by_its_test(
    made: Any, submits: Any, kind: str, message: str, found: str
) -> None:
    run = made([submits()], test=None, test_kind=kind, test_message=message)
    assert error_class(run) == found
    assert error_flags(run) == {found}


def test_a_file_that_is_missing_at_the_end_is_no_submission(made: Any, turn: Any, journals: ModuleType) -> None:
    missing = turn("Final Answer", kind="end", ends="submitted", step=journals.Step(None, "unparsable"))
    run = made([turn(changes={SCRIPT: None}), missing], submitted=0)
    assert (error_class(run), run.note) == ("no_submission", "starter submitted")


def test_an_error_that_was_left_as_it_was(made: Any, runs_it: Any, edits: Any, submits: Any, turn: Any) -> None:
    invalid = {"test": None, "test_kind": "invalid_output", "test_message": "a row is missing"}
    left = made([edits(), runs_it("ValueError: no", 1), submits()], **invalid)
    assert conduct(left).flags == ("submission_format", "unrepaired_error")
    for turns in (
        [edits(), runs_it("ValueError: no", 1), edits(), submits()],  # changed since
        [edits(), runs_it("ValueError: no", 1), edits(), runs_it(), submits()],  # and seen to run
        [edits(), runs_it("ValueError: no", 1, script="plot.py"), submits()],  # not a script of the task
        [edits(), runs_it(), turn("Write File", kind="error", observation="EnvError: read-only"), submits()],
    ):
        assert conduct(made(turns, **invalid)).flags == ("submission_format",)
    # killed at a limit is an error as well; a test that goes well shows that nothing was wrong with the code
    assert "unrepaired_error" in conduct(made([edits(), runs_it("killed", None), submits()], **invalid)).flags
    assert error_class(made([edits(), runs_it("killed", None), submits()])) == "success"


def test_debugging_loop(made: Any, runs_it: Any, edits: Any, submits: Any) -> None:
    def failing(line: str, script: str = SCRIPT) -> Any:
        return runs_it(f"Traceback (most recent call last):\n  File ...\n{line}", 1, script)

    same, other = failing("ValueError: shapes (3,) and (4,)"), failing("KeyError: 'x'")
    loop = made([same, edits("a"), same, edits("b"), same, edits("c"), runs_it(), submits()])
    assert conduct(loop).flags == ("debugging_loop",)
    assert error_class(loop) == "success"
    assert error_flags(loop) == {"success", "debugging_loop"}
    for turns in (
        [same, same, runs_it(), same, submits()],
        [same, other, same, other, same, submits()],
        [same, same, failing("ValueError: shapes (3,) and (4,)", "other.py"), submits()],
    ):
        assert "debugging_loop" not in conduct(made(turns)).flags


def test_bad_plan(
    made: Any, runs_it: Any, edits: Any, submits: Any, capped: Any, turn: Any, journals: ModuleType
) -> None:
    failing = runs_it("KeyError: 'x'", 1)
    validated = turn("Validate", step=journals.Step(0.55, files={SCRIPT: "x = 3\n"}))
    for turns in (
        [turn(), turn(), capped()],
        [runs_it(), edits(), failing, edits(), capped()],
        # what a script leaves is not the agent's change
        [runs_it(changes={"submission.csv": "1"}), runs_it(), capped()],
    ):
        assert "bad_plan" in conduct(made(turns, reason="turns")).flags
    for turns in ([edits(), runs_it(), edits(), failing, capped()], [edits(), validated, capped()]):
        assert "bad_plan" not in conduct(made(turns, reason="turns")).flags
    assert "bad_plan" not in conduct(made([turn(), failing, submits()])).flags


@pytest.mark.parametrize(
    ("test", "noise", "found"),
    [
        (0.40, None, "regression"),
        (0.40, 0.06, "no_change"),
        (0.50, None, "no_change"),
        (0.54, 0.021, "no_change"),
        (0.54, 0.019, "small_improvement"),
        (0.54, None, "small_improvement"),
        (0.55, None, "success"),
        (0.56, 0.031, "no_change"),
        (0.56, 0.029, "success"),
    ],
)
def test_valid_submissions_are_called_by_what_they_gained(
    made: Any, submits: Any, test: float, noise: float | None, found: str
) -> None:
    known = None if noise is None else Noise(seeds=20, val_sd=noise, test_sd=noise)
    assert error_class(made([submits()], test=test, noise=known)) == found


def test_the_first_that_applies_decides_and_the_others_stay(made: Any, runs_it: Any, edits: Any, submits: Any) -> None:
    failing = runs_it("KeyError: 'x'", 1)
    turns = [edits(), failing, edits(), failing, edits(), failing, submits("I reached an accuracy of 0.93.", None)]
    run = made(turns, test=None, test_kind="crashed")
    assert conduct(run).flags == ("unrepaired_error", "unverified_claim", "debugging_loop")
    assert error_class(run) == "unrepaired_error"
    assert conduct(run).claims == ("0.93",)


def test_every_flag_is_a_class_or_stands_aside() -> None:
    assert {*FLAGS} == {*CLASSES[: CLASSES.index("regression")], *ASIDE}
    assert [name for name in CLASSES if name in FLAGS] == [flag for flag in FLAGS if flag not in ASIDE]


def test_lost_texts_are_reported_and_the_run_still_scored(
    made: Any, runs_it: Any, submits: Any, tmp_path: Path
) -> None:
    made([runs_it("lost", 1), submits()])
    for blob in (tmp_path / "blobs").glob("*/*"):
        if blob.read_text() == "lost":
            blob.unlink()
    (tmp_path / ".cache" / "summaries.npz").unlink()
    for _ in range(2):
        scores = load_scores(tmp_path)
        assert "how its agent went about it is not known" in scores.damaged[0].message
        assert scores.finished[0].score == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("Its errors:\nTraceback\n  x\nValueError: a 0.25 b\nexit after 3.5 s", "ValueError: a … b"),
        ("torch.cuda.OutOfMemoryError: CUDA", "torch.cuda.OutOfMemoryError: CUDA"),
        ("object at 0x7f12ab is wrong\n\n", "object at … is wrong"),
        ("", ""),
    ],
)
def test_the_last_error_line(output: str, line: str) -> None:
    assert last_error(output) == line
