"""Answers of all shapes become candidates, or sentences that say what to write instead."""

import pytest

from assay.proposers.edits.apply import apply_answer, size_limit
from assay.proposers.edits.describe import describe
from assay.tasks.candidate import Candidate
from assay.tasks.spec import Measured, Metric, TaskSpec

ALGORITHM = '''"""A model."""

import numpy as np

RATE = 0.1


def fit(x, y):
    """Least squares.

    ```
    fit(x, y)
    ```
    """
    return np.linalg.lstsq(x, y, rcond=None)[0]


def predict(w, x):
    total = 0.0
    for row in x:
        total += row @ w
    return total
'''
CONFIG = '{"epochs": 3}\n'
PARENT = Candidate(files={"algorithm.py": ALGORITHM, "config.json": CONFIG})
SPEC = TaskSpec(
    id="t",
    title="t",
    area="a",
    question="q",
    editable=("algorithm.py", "config.json"),
    defines={"algorithm.py": ("fit", "predict")},
    metric=Metric(name="m", direction="max", best=1.0),
    baseline=Measured(val=0.0, test=0.0),
)
ONE = SPEC.model_copy(update={"editable": ("algorithm.py",)})
ALONE = Candidate(files={"algorithm.py": ALGORITHM})
FASTER = ALGORITHM.replace("RATE = 0.1", "RATE = 0.2")


def edit(answer: str, parent: Candidate = PARENT, spec: TaskSpec = SPEC) -> tuple[dict[str, str], str]:
    edited = apply_answer(answer, parent, spec, size_limit(parent))
    return dict(edited.candidate.files) if edited.candidate else {}, " / ".join(edited.problems)


WHOLE = {
    "as asked": f"SUMMARY: faster\n\n### FILE: algorithm.py\n```python\n{FASTER}```\n",
    "no label": f"### FILE: algorithm.py\n```\n{FASTER}```",
    "other label and longer fence": f"### FILE: algorithm.py\n````text\n{FASTER}````",
    "tildes": f"**File: `algorithm.py`**\n\n~~~py\n{FASTER}~~~",
    "path alone in backticks": f"Here it is:\n\n`algorithm.py`\n\n```python\n{FASTER}```\nDone.",
    "path in the label": f"```python algorithm.py\n{FASTER}```",
    "path after a colon": f"```python:algorithm.py\n{FASTER}```",
    "path in bold with a dot": f"**./algorithm.py**:\n```python\n{FASTER}```",
    "workspace folder": f"### FILE: workspace/algorithm.py\n```python\n{FASTER}```",
    "path in a comment": f"```python\n# algorithm.py\n{FASTER}```",
    "path in a sentence": f"I changed the rate in `algorithm.py`:\n\n```python\n{FASTER}```",
    "windows line ends": f"### FILE: algorithm.py\n```python\n{FASTER}```\n".replace("\n", "\r\n"),
    "thoughts aloud": f"<think>\n```python\nx\n```\n</think>\n### FILE: algorithm.py\n```python\n{FASTER}```",
    "numbers and calls alone on a line": f"1.2\nmodel.fit\n### FILE: algorithm.py\n```python3.11\n{FASTER}```",
    "another fence before it": f"Now:\n```\nconfig.json\n```\n`algorithm.py`\n```python\n{FASTER}```",
    "example afterwards": f"### FILE: algorithm.py\n```python\n{FASTER}```\nRun it:\n```bash\npython algorithm.py\n```",
}


@pytest.mark.parametrize("answer", WHOLE.values(), ids=WHOLE.keys())
def test_whole_files_in_every_dress(answer: str) -> None:
    files, problems = edit(answer)
    assert problems == ""
    assert files["algorithm.py"].removeprefix("# algorithm.py\n") == FASTER
    assert files["config.json"] == CONFIG


BLOCK = "<<<<<<< SEARCH\nRATE = 0.1\n=======\nRATE = 0.2\n>>>>>>> REPLACE\n"
BLOCKS = {
    "bare": f"### FILE: algorithm.py\n{BLOCK}",
    "inside a fence": f"### FILE: algorithm.py\n```python\n{BLOCK}```",
    "path inside the fence": f"```\nalgorithm.py\n{BLOCK}```",
    "path in the label": f"```diff algorithm.py\n{BLOCK}```",
    "indented": f"### FILE: algorithm.py\n{BLOCK}".replace("RATE", "    RATE"),
    "white space at the end": f"### FILE: algorithm.py\n{BLOCK}".replace("RATE = 0.1", "RATE = 0.1   "),
}


@pytest.mark.parametrize("answer", BLOCKS.values(), ids=BLOCKS.keys())
def test_search_and_replace_in_every_dress(answer: str) -> None:
    files, problems = edit(answer)
    assert problems == ""
    assert files["algorithm.py"] == FASTER


def test_several_blocks_of_one_file_and_of_two() -> None:
    files, problems = edit(
        "### FILE: algorithm.py\n"
        + BLOCK
        + "<<<<<<< SEARCH\n    total = 0.0\n=======\n    total = 1.0\n>>>>>>> REPLACE\n\n"
        + '### FILE: config.json\n```json\n{"epochs": 4}\n```\n'
    )
    assert problems == ""
    assert "RATE = 0.2" in files["algorithm.py"] and "total = 1.0" in files["algorithm.py"]
    assert files["config.json"] == '{"epochs": 4}\n'


def test_an_empty_replacement_deletes_and_leaves_the_next_block_alone() -> None:
    files, problems = edit(
        "### FILE: algorithm.py\n<<<<<<< SEARCH\nRATE = 0.1\n=======\n>>>>>>> REPLACE\n"
        "<<<<<<< SEARCH\n    total = 0.0\n=======\n    total = 2.0\n>>>>>>> REPLACE"
    )
    assert problems == ""
    assert "RATE" not in files["algorithm.py"] and "total = 2.0" in files["algorithm.py"]


def test_a_nearly_right_search_finds_its_one_place_and_keeps_the_indentation() -> None:
    files, problems = edit(
        "### FILE: algorithm.py\n<<<<<<< SEARCH\ntotal = 0\nfor row in x:\n    total += row @ w\n=======\n"
        "total = x @ w\n>>>>>>> REPLACE"
    )
    assert problems == ""
    assert "    total = x @ w\n    return total" in files["algorithm.py"]


def test_without_a_path_the_only_editable_file_is_meant_and_never_one_of_two() -> None:
    answer = f"```python\n{FASTER}```"
    assert edit(answer, ALONE, ONE) == ({"algorithm.py": FASTER}, "")
    assert "no 'FILE:' heading" in edit(answer)[1]


REFUSED = {
    "nothing": ("I would rather not.", "holds no edit"),
    "foreign file": (f"### FILE: grader.py\n```python\n{FASTER}```", "'grader.py' is not a file that may be edited"),
    "same name elsewhere": (f"### FILE: lib/algorithm.py\n```python\n{FASTER}```", "may be edited"),
    "out of the workspace": (f"### FILE: ../algorithm.py\n```python\n{FASTER}```", "may be edited"),
    "absolute": (f"### FILE: /algorithm.py\n```python\n{FASTER}```", "may be edited"),
    "half allowed": (f"### FILE: algorithm.py\n{BLOCK}\n### FILE: other.py\n```python\nx = 1\n```", "may be edited"),
    "not python": ("### FILE: algorithm.py\n```python\ndef fit(:\n```", "not valid Python: line 1"),
    "lost a function": ("### FILE: algorithm.py\n```python\ndef fit(x, y):\n    return 0\n```", "defines predict"),
    "not json": ("### FILE: config.json\n```json\n{epochs: 4}\n```", "cannot be read"),
    "cut off": (f"### FILE: algorithm.py\n```python\n{FASTER}", "cut off"),
    "elided": (
        f"### FILE: algorithm.py\n```python\n{FASTER}\n# ... rest of the code unchanged ...\n```",
        "leaves code out",
    ),
    "hollow": (
        "### FILE: algorithm.py\n```python\ndef fit(x, y):\n    return 1\n\ndef predict(w, x):\n    ...\n```",
        "body of predict",
    ),
    "open block": ("### FILE: algorithm.py\n<<<<<<< SEARCH\nRATE = 0.1\n=======\nRATE = 0.2\n", "not complete"),
    "not there": (f"### FILE: algorithm.py\n{BLOCK.replace('RATE = 0.1', 'SPEED = 7')}", "is not in the file"),
    "twice there": (
        "### FILE: algorithm.py\n<<<<<<< SEARCH\n    ```\n=======\n    '''\n>>>>>>> REPLACE",
        "fits 2 places",
    ),
    "empty search": ("### FILE: algorithm.py\n<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE", "is empty"),
    "lone surrogate": ("### FILE: algorithm.py\n" + BLOCK.replace("0.2", "'\ud800'"), "not valid Unicode"),
    "far too long": (f"### FILE: config.json\n```\n{'[' * 50_000}\n```", "characters long"),
}


@pytest.mark.parametrize(("answer", "problem"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_used_changes_nothing_and_says_why(answer: str, problem: str) -> None:
    files, problems = edit(answer)
    assert files == {}
    assert problem in problems


def test_the_nearest_lines_are_shown_when_a_search_fails() -> None:
    _, problems = edit(
        "### FILE: algorithm.py\n<<<<<<< SEARCH\ndef predict(w, x):\n    something_else_entirely = compute(w, x, 1)\n"
        "    for row in x:\n        frobnicate()\n=======\n    pass\n>>>>>>> REPLACE"
    )
    assert "the nearest lines there are:" in problems and "def predict(w, x):" in problems


def test_comments_and_formatting_alone_are_no_change() -> None:
    commented = apply_answer(f"### FILE: algorithm.py\n```python\n# new\n{ALGORITHM}```", PARENT, SPEC, 20_000)
    assert commented.candidate is not None and not commented.changed(PARENT)
    changed = apply_answer(f"### FILE: algorithm.py\n{BLOCK}", PARENT, SPEC, 20_000)
    assert changed.candidate is not None and changed.changed(PARENT)


def test_a_description_says_where_the_diff_is_and_what_of_the_claim_it_does_not_show() -> None:
    child = Candidate(files={"algorithm.py": ALGORITHM.replace("total = 0.0", "total = 1.0"), "config.json": CONFIG})
    assert describe("starts `total` at one in `predict`", PARENT, child) == (
        "starts `total` at one in `predict` [algorithm.py +1 -1 in predict]"
    )
    assert describe("sets `total` and adds `dropout`", PARENT, child).endswith("not in the diff: dropout]")
    assert describe("adds `dropout` and weight_decay", PARENT, child) == (
        "changes algorithm.py +1 -1 in predict; the proposer claims: adds `dropout` and weight_decay"
    )
    assert describe("", PARENT, child) == "changes algorithm.py +1 -1 in predict"
