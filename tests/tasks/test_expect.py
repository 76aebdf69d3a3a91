"""Outputs come from hostile processes: whatever they are, a grader gets clean arrays or a sentence for the agent."""

from contextlib import suppress
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from assay.tasks.expect import labels, numbers, probabilities, same_answers
from assay.tasks.grader import InvalidOutput, Tampering

ANYTHING = st.one_of(
    st.none(),
    st.text(),
    st.floats(),
    st.lists(st.integers()),
    st.dictionaries(st.text(), st.integers()),
    hnp.arrays(
        st.one_of(hnp.floating_dtypes(), hnp.integer_dtypes(), hnp.unsigned_integer_dtypes(), hnp.boolean_dtypes()),
        hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
    ),
)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@given(ANYTHING)
def test_whatever_comes_back_is_clean_or_refused(value: Any) -> None:
    with suppress(InvalidOutput):
        assert np.isfinite(numbers({"a": value}, "a", (3, None))).all()
    with suppress(InvalidOutput):
        assert set(labels({"a": value}, "a", 3, 2).tolist()) <= {0, 1}
    with suppress(InvalidOutput):
        assert probabilities({"a": value}, "a", 3, 2).sum(axis=1) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (None, "'a' is missing or is not an array"),
        (np.zeros((2, 2)), r"'a' has shape \(2, 2\), expected \(any\)"),
        (np.array([0.0, np.inf]), "not finite"),
    ],
)
def test_a_refusal_names_the_output_and_what_is_wrong(value: Any, problem: str) -> None:
    with pytest.raises(InvalidOutput, match=problem):
        numbers({"a": value}, "a", (None,))


def test_labels_are_whole_and_within_the_classes() -> None:
    assert labels({"a": np.array([0.0, 2.0])}, "a", 2, 3).tolist() == [0, 2]
    for wrong in ([0.5, 1.0], [-1, 0], [0, 3]):
        with pytest.raises(InvalidOutput, match="class labels 0 … 2"):
            labels({"a": np.array(wrong)}, "a", 2, 3)


def test_probabilities_sum_to_one_and_rounding_is_forgiven() -> None:
    nearly = np.array([[0.5, 0.5001]])
    assert probabilities({"a": nearly}, "a", 1, 2).sum() == pytest.approx(1.0, abs=1e-15)
    for wrong in ([[0.5, 0.6]], [[-0.5, 1.5]]):
        with pytest.raises(InvalidOutput, match="sum to 1"):
            probabilities({"a": np.array(wrong)}, "a", 1, 2)


def test_same_answers_forgive_rounding_and_nothing_else() -> None:
    first = np.array([1e6, 1.0, 0.0])
    same_answers(first, first * (1 + 1e-9))
    with pytest.raises(Tampering, match="other rows of the batch"):
        same_answers(first, first + np.array([0.0, 0.1, 0.0]))
