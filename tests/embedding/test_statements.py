import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.embedding.statements import NOTHING, cut, pieces

FRAGMENTS = [
    "x",
    "(",
    ")",
    "[",
    '"""',
    "'''",
    '"',
    "'",
    "\\",
    "\n",
    "\n    ",
    "@",
    "#",
    "def f():",
    "else:",
    "\r\n",
    "{}",
]


def test_pieces_are_the_statements_that_stand_in_no_other() -> None:
    text = """
import numpy as np

RATE = 0.1
@cached

# what is cached
@also(
    1
)
def fit(x):
    return x
# after it
try:
    pass
except ValueError:
    pass
TEXT = '''
def not_a_piece():
    pass
'''
CALL = f(
x, # (
)
"""
    heads = [piece.strip().split("\n")[0] for piece in pieces(text) if piece.strip()]
    assert heads == ["import numpy as np", "RATE = 0.1", "@cached", "try:", "TEXT = '''", "CALL = f("]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\n\n  b\n", [(0, "a"), (2, "b")]),
        ("a = (1,\n     2)\nb", [(0, "a = (1,\n2)"), (0, "b")]),
        ("  a = '''\n  )\\'''\n'''\nb", [(2, "a = '''\n  )\\'''\n'''"), (0, "b")]),
        ("a = '(' # '''\nb", [(0, "a = '(' # '''"), (0, "b")]),
        ("a = 1 + \\\n  2\nb", [(0, "a = 1 + \\\n  2"), (0, "b")]),
        ("a = 'x\\\n\"'\nb", [(0, "a = 'x\\\n\"'"), (0, "b")]),
        ("  @a\n  # why\n  def f():\n    b", [(2, "@a\n# why\ndef f():"), (4, "b")]),
        ("a = f(\nimport b\nc", [(0, "a = f("), (0, "import b"), (0, "c")]),
        ("don't (\nstop\nreturn", [(0, "don't ("), (0, "stop"), (0, "return")]),
    ],
)
def test_statements_are_logical_lines(text: str, expected: list[tuple[int, str]]) -> None:
    assert list(cut(text).statements) == expected
    assert cut(text).still_open is NOTHING


def test_what_is_still_open_is_known() -> None:
    assert cut("a = [(").still_open.brackets == 2
    assert cut('a = """').still_open.quote == '"""'
    assert cut("@a").still_open.decorates


@given(st.text() | st.lists(st.sampled_from(FRAGMENTS)).map("".join))
def test_nothing_is_lost_and_nothing_is_added(text: str) -> None:
    def visible(texts: list[str]) -> str:
        return re.sub(r"\s", "", "".join(texts))

    assert visible(list(pieces(text))) == visible([text])
    assert visible([statement for piece in pieces(text) for _, statement in cut(piece).statements]) == visible([text])
