"""Files that a script left are hostile: what comes of them is a clean table, or a sentence that names the place."""

from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.tasks.files import as_csv, as_file, as_files, as_npz, json_of, numbers_of, table_of, text_of
from assay.tasks.grader import InvalidOutput

PATH = "submission.csv"
IDS = ["a", "b", "c"]
WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
FIELDS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), WORDS)


def left(content: str | bytes) -> dict[str, Any]:
    return {PATH: as_file(content)}


@given(st.binary(max_size=200) | WORDS.map(str.encode))
def test_whatever_was_left_is_read_or_refused(content: bytes) -> None:
    with suppress(InvalidOutput):
        table = table_of(left(content), PATH, IDS, ["x"])
        assert len(table["x"]) == len(IDS)
        assert np.isfinite(numbers_of(table, "x", PATH)).all()
    with suppress(InvalidOutput):
        json_of(left(content), PATH)


@given(st.one_of(st.none(), st.text(), st.integers(), st.lists(st.integers())))
def test_what_is_no_file_is_not_there(value: Any) -> None:
    for odd in (value, np.zeros(3), np.zeros((2, 2), np.uint8)):
        with pytest.raises(InvalidOutput, match=r"left no file submission\.csv"):
            text_of({PATH: odd}, PATH)


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=3, max_size=3), st.permutations([0, 1, 2]))
def test_numbers_come_back_exactly_and_in_the_order_of_the_ids(numbers: list[float], order: list[int]) -> None:
    text = as_csv({"x": [numbers[k] for k in order], "id": [IDS[k] for k in order]})
    assert numbers_of(table_of(left(text), PATH, IDS, ["x"]), "x", PATH).tolist() == numbers


# a lone carriage return is not quoted by the csv module, and so ends a line when it is read
@given(st.lists(WORDS.filter(lambda text: "\r" not in text), min_size=3, max_size=3))
def test_texts_come_back_as_they_were(texts: list[str]) -> None:
    assert table_of(left(as_csv({"id": IDS, "x": texts})), PATH, IDS, ["x"])["x"] == texts


@given(st.dictionaries(WORDS, st.lists(FIELDS, min_size=2, max_size=2), min_size=1, max_size=3))
def test_the_same_columns_give_the_same_bytes(columns: dict[str, list[Any]]) -> None:
    assert as_csv(columns) == as_csv(dict(columns))


def test_gaps_are_empty_fields_and_arrays_are_plain_numbers() -> None:
    text = as_csv({"id": np.arange(2), "x": [None, np.float64(0.1)], "y": np.array([True, False])})
    assert text == "id,x,y\n0,,True\n1,0.1,False\n"


def test_arrays_in_a_file_give_the_same_bytes_every_time() -> None:
    assert as_npz(x=np.arange(3)) == as_npz(x=np.arange(3))
    files = as_files({"a.npz": as_npz(x=np.arange(3)), "b.txt": "é"})
    assert files["b.txt"].tobytes() == "é".encode()
    assert files["a.npz"].dtype == np.uint8


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", r"submission\.csv has no column 'id'"),
        ("id,y\na,1\n", "no column 'x'; it has: id, y"),
        ("id,x\na,1\nb,2\n", "no row for id 'c'"),
        ("id,x\na,1\nb,2\nc,3\nd,4\n", "4 rows, expected 3"),
        ("id,x\na,1\nb,2\nb,3\n", "line 4: id 'b' occurs twice"),
        ("id,x\na,1\nb\nc,3\n", "line 3: 1 fields, expected 2"),
        ("id,x\na,1\nb,two\nc,3\n", "column 'x', row 2: 'two' is not a finite number"),
        ("id,x\na,1\nb,2\nc,nan\n", "column 'x', row 3: 'nan' is not a finite number"),
        ("id,x\na,1\nb,2\nc," + "9" * 200_000, "is not a CSV file"),
        (b"\xff\xfe", "is not UTF-8 text"),
    ],
)
def test_a_refusal_names_the_place_and_the_reason(content: str | bytes, problem: str) -> None:
    with pytest.raises(InvalidOutput, match=problem):
        numbers_of(table_of(left(content), PATH, IDS, ["x"]), "x", PATH)


def test_a_byte_order_mark_and_blank_lines_are_forgiven() -> None:
    assert table_of(left("\ufeffid,x\n\nc,3\na,1\nb,2\n\n"), PATH, IDS, ["x"]) == {"x": ["1", "2", "3"]}


@pytest.mark.parametrize("content", ["", "{", "[" * 100_000, b"\xff"])
def test_json_that_is_none_is_refused(content: str | bytes) -> None:
    with pytest.raises(InvalidOutput, match=r"submission\.csv is not"):
        json_of(left(content), PATH)
