"""No answer whatsoever crashes the reader, reaches another file, or changes anything half."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.proposers.edits.apply import apply_answer, size_limit
from assay.proposers.edits.checks import defined_names, parse_python
from assay.proposers.edits.describe import describe
from assay.tasks.candidate import Candidate
from assay.tasks.spec import Measured, Metric, TaskSpec

MODEL = "import json\n\nRATE = 0.1\n\n\ndef fit(x, y):\n    w = x + y\n    w = x + y\n    return w * RATE\n"
PARENT = Candidate(files={"model.py": MODEL, "lib/tools.py": "def helper():\n    return 1\n", "config.json": "{}\n"})
SPEC = TaskSpec(
    id="t",
    title="t",
    area="a",
    question="q",
    editable=("model.py", "lib/tools.py", "config.json"),
    defines={"model.py": ("fit",)},
    metric=Metric(name="m", direction="max", best=1.0),
    baseline=Measured(val=0.0, test=0.0),
)
ONE = SPEC.model_copy(update={"editable": ("model.py",)})
"""Here the other two files are protected."""
LIMIT = size_limit(PARENT)

PATHS = [
    "model.py",
    "./model.py",
    "lib/tools.py",
    "tools.py",
    "config.json",
    "grader.py",
    "../grader.py",
    "/etc/passwd",
]
PATHS += ["..", "", "a" * 500 + ".py", "model.py\0", "C:\\model.py", "workspace/../../model.py", "lib/../grader.py"]
CODE = [MODEL, MODEL.replace("0.1", "0.2"), "RATE = 0.1", "    w = x + y", "def fit(x, y):\n    ...", "{}", "{", "x ="]
CODE += ["```", "~~~~", "# ... rest unchanged", "'''", "(" * 300, "-" * 5000 + "1", "\ud800", "\x00", "=======", ""]
MARKERS = [
    "<<<<<<< SEARCH",
    "=======",
    ">>>>>>> REPLACE",
    "```",
    "```python",
    "````",
    "~~~",
    "</think>",
    "SUMMARY:",
    "...",
]
HEADINGS = ["### FILE: {}", "`{}`", "**{}**", "File: {}", "I edit `{}`:", "{}", "# {}"]
BODIES = [
    "```python\n{a}\n```",
    "```{p}\n{a}\n```",
    "````\n{a}\n````",
    "<<<<<<< SEARCH\n{a}\n=======\n{b}\n>>>>>>> REPLACE",
    "```\n<<<<<<< SEARCH\n{a}\n=======\n{b}\n>>>>>>> REPLACE\n```",
]


def well_formed(rng: random.Random) -> str:
    """An answer in the right shape with anything inside."""
    # half of the time from the front of the lists, where what can succeed stands
    path = rng.choice(PATHS[: rng.choice((2, None))])
    codes = CODE[: rng.choice((3, None))]
    body = rng.choice(BODIES).replace("{a}", rng.choice(codes)).replace("{b}", rng.choice(codes)).replace("{p}", path)
    return rng.choice(HEADINGS).format(path) + "\n" + body


def any_answer(rng: random.Random) -> str:
    """Shapes put together, cut and garbled at random."""
    pieces = [
        rng.choice((well_formed(rng), rng.choice(MARKERS), rng.choice(CODE), "### FILE: " + rng.choice(PATHS)))
        for _ in range(rng.choice((0, 0, 1, 5)))
    ]
    pieces.append(well_formed(rng))
    answer = rng.choice(("\n", "\r\n", "", "\n\n")).join(pieces)
    match rng.randrange(6):
        case 0:
            answer = answer[: rng.randrange(len(answer) + 1)]
        case 1 if answer:
            at = rng.randrange(len(answer))
            answer = answer[:at] + chr(rng.choice((0, 10, 96, 0x2028, 0xD800, 0x1F600))) + answer[at + 1 :]
    return answer


def check(answer: str, spec: TaskSpec) -> bool:
    """Whether the answer gave a candidate; what must hold is asserted either way."""
    edited = apply_answer(answer, PARENT, spec, LIMIT)
    if edited.candidate is None:
        assert edited.problems and all(edited.problems)
        return False
    assert not edited.problems
    assert edited.candidate.files.keys() == PARENT.files.keys()
    for path, text in edited.candidate.files.items():
        if path not in spec.editable:
            assert text == PARENT.files[path]
        text.encode()
        assert len(text) <= LIMIT
    tree = parse_python(edited.candidate.files["model.py"])
    assert not isinstance(tree, str) and "fit" in defined_names(tree)
    assert describe(edited.summary, PARENT, edited.candidate) or edited.candidate == PARENT
    return True


@pytest.mark.parametrize("spec", [SPEC, ONE], ids=["three files", "two protected"])
def test_twenty_thousand_answers_are_each_a_sound_candidate_or_a_reason(spec: TaskSpec) -> None:
    rng = random.Random(f"answers/{len(spec.editable)}")
    sound = sum(check(any_answer(rng), spec) for _ in range(10_000))
    # the generator must reach both ends, or it would prove nothing
    assert 500 < sound < 9_500


@settings(max_examples=400, deadline=None)
@given(st.lists(st.one_of(st.text(max_size=80), st.sampled_from(MARKERS + CODE + PATHS)), max_size=12).map("\n".join))
def test_any_text_is_a_sound_candidate_or_a_reason(answer: str) -> None:
    check(answer, SPEC)
    check(answer, ONE)


def test_a_hostile_answer_costs_no_time_to_speak_of() -> None:
    """Sizes at which anything quadratic in the answer or the file would never end."""
    long = Candidate(files={"model.py": "".join(f"x{i} = f(a, b, {i})\n" for i in range(1500)) + MODEL})
    spec = ONE
    search = "\n".join(f"x{i} = f(a, b, {i}, c)" if i % 2 else f"x{i} = f(a, b, {i})" for i in range(700))
    for answer in (
        "```\n" * 20_000,
        "<<<<<<< SEARCH\n" * 20_000,
        "### FILE: model.py\n```python\n" + "x = '''\n```\n" * 5_000,
        "`" * 200_000,
        "#" * 200_000,
        "### FILE: model.py\n" + f"<<<<<<< SEARCH\n{search}\n=======\ny = 1\n>>>>>>> REPLACE\n" * 5,
        "SUMMARY: " + "a_b " * 50_000,
    ):
        assert apply_answer(answer, long, spec, size_limit(long)).problems
