"""What crosses the border of the sandbox: arrays and JSON come back as they were, and no bytes whatsoever do harm."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from assay.tasks.payload import JSON_BYTES, PayloadError, decode, encode

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**9), 10**9) | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
ARRAYS = arrays.arrays(
    st.sampled_from([np.float64, np.float32, np.int64, np.uint8, np.bool_]), arrays.array_shapes(min_dims=0, max_side=4)
)


@given(st.dictionaries(st.text(max_size=8), JSON | ARRAYS, max_size=4))
def test_what_goes_in_comes_out(payload: dict[str, object]) -> None:
    back = decode(encode(payload))
    assert list(back) == list(payload)
    for name, value in payload.items():
        if isinstance(value, np.ndarray):
            assert back[name].dtype == value.dtype and back[name].shape == value.shape
            assert back[name].tobytes() == value.tobytes()
        else:
            assert back[name] == value


@given(st.binary(max_size=200))
def test_no_bytes_do_harm(data: bytes) -> None:
    try:
        assert isinstance(decode(data), dict)
    except PayloadError as error:
        assert str(error)


@given(st.data())
def test_a_damaged_message_is_refused_or_read_but_never_crashes(data: st.DataObject) -> None:
    whole = bytearray(encode({"x": np.arange(6.0).reshape(2, 3), "y": [1, "a"]}))
    position = data.draw(st.integers(0, len(whole) - 1))
    whole[position] = data.draw(st.integers(0, 255))
    try:
        assert isinstance(decode(bytes(whole)), dict)
    except PayloadError as error:
        assert str(error)


@pytest.mark.parametrize(
    "value",
    [object(), np.array([object()]), np.array(["text"]), {1, 2}, lambda: None, np.array([1j]), "x" * (JSON_BYTES + 1)],
    ids=["object", "array of objects", "array of texts", "set", "function", "complex", "too much JSON"],
)
def test_anything_else_is_refused(value: object) -> None:
    with pytest.raises(PayloadError):
        encode({"x": value})


def test_a_cut_buffer_and_a_pickle_are_refused() -> None:
    with pytest.raises(PayloadError, match="cut off"):
        decode(encode({"x": np.zeros(8)})[:-1])
    import pickle

    with pytest.raises(PayloadError):
        decode(pickle.dumps({"x": 1}))
