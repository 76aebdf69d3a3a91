import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.embedding.memory import forget
from assay.embedding.tokens import Tokens

CODE = """
import numpy as np

RATE = 0.1

@cached
def fit(x, y):
    for _ in range(10):
        x = x - RATE * (x @ y)
    return x

class Model:
    def predict(self, x):
        return fit(x, x).sum()
"""


def distance(a: str, b: str) -> float:
    one, two = Tokens().embed([a, b])
    return float(np.linalg.norm(one - two))


def test_rows_are_unit_vectors_of_the_declared_size() -> None:
    rows = Tokens().embed([CODE, "x = 1"])
    assert rows.shape == (2, Tokens().dimensions) and rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-6)


def test_empty_text_is_zero_and_unparsable_text_is_not() -> None:
    rows = Tokens().embed(["", " \n\t", "def broken(:\n  return ((("])
    assert not rows[0].any() and not rows[1].any()
    assert rows[2].any()


def test_a_larger_change_lies_farther_away() -> None:
    small = CODE.replace("0.1", "0.2")
    large = (
        CODE[: CODE.index("class")] + "class Other:\n    def predict(self, z):\n        return [w for w in z if w]\n"
    )
    assert 0 < distance(CODE, small) < distance(CODE, large) < distance(CODE, "print('hello')")


def test_the_tree_sees_structure_behind_equal_tokens() -> None:
    # the same words in the same order: only the tree tells that the call moved out of the loop
    assert distance("for a in b:\n    c()\n    d()\n", "for a in b:\n    c()\nd()\n") > 0


def test_a_mistake_costs_no_more_than_its_own_statement() -> None:
    broken = CODE.replace("x - RATE", "x - - )")
    assert distance(CODE, broken) < distance(CODE, CODE[: CODE.index("@cached")])


def test_memory_changes_nothing() -> None:
    texts = [CODE, CODE.replace("0.1", "0.2"), CODE * 40, "x = (" + "1, " * 5000 + ")", '"' * 7 + "\\" * 9, CODE]
    remembered = Tokens().embed(texts)
    for row, text in zip(remembered, texts, strict=True):
        forget()
        np.testing.assert_array_equal(row, Tokens().embed([text])[0])


@given(st.text())
def test_any_text_is_accepted(text: str) -> None:
    assert np.isfinite(Tokens().embed([text])).all()


@pytest.mark.parametrize("unit", ['\\"', "'", '"""\nx\n', "(\nx\n", "@\n", "if x:\n", "-", "(", "[x for x in "])
def test_no_text_takes_longer_than_its_length_allows(unit: str) -> None:
    # these would not come to an end if the time grew with the square of the length
    assert np.isfinite(Tokens().embed([unit * (300_000 // len(unit))])).all()


@given(st.lists(st.sampled_from([CODE, "", "x = 1", "def f(): pass"]), max_size=5))
def test_a_row_does_not_depend_on_its_neighbours(texts: list[str]) -> None:
    together = Tokens().embed(texts)
    for row, text in zip(together, texts, strict=True):
        np.testing.assert_array_equal(row, Tokens().embed([text])[0])


def test_another_process_gives_the_same_bytes() -> None:
    program = (
        "import sys; from assay.embedding.tokens import Tokens;"
        "sys.stdout.buffer.write(Tokens().embed([sys.argv[1]]).tobytes())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, CODE], capture_output=True, check=True, env={"PYTHONHASHSEED": "7"}
    )
    assert done.stdout == Tokens().embed([CODE]).tobytes()
