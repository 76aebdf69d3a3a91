"""Result files of FML-bench's form: read strictly, averaged over data sets, never trusted to be well formed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.tasks.command import unified_grade
from assay.tasks.grader import InvalidOutput

JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def entry(**means: Any) -> dict[str, Any]:
    return {"means": means, "stderrs": {}, "final_info_dict": {}}


def test_means_are_averaged_over_the_named_data_sets() -> None:
    result = {"a": entry(acc_mean=0.5), "b": entry(acc_mean=0.7), "c": entry(acc_mean=0.0)}
    assert unified_grade({"result": result}, ("a", "b")).metrics == {"acc_mean": pytest.approx(0.6)}
    assert unified_grade({"result": result}).metrics == {"acc_mean": pytest.approx(0.4)}


def test_a_flat_file_and_a_flag_are_read() -> None:
    assert unified_grade({"result": {"acc": 0.5, "constraint_violated": True}}).metrics == {
        "acc": 0.5,
        "constraint_violated": 1.0,
    }


def test_null_and_missing_values_are_no_value() -> None:
    assert unified_grade({"result": {"a": entry(acc_mean=None, loss_mean=1.0)}}, ("a",)).metrics == {"loss_mean": 1.0}
    with pytest.raises(InvalidOutput, match="no data set 'b'"):
        unified_grade({"result": {"a": entry(acc_mean=1.0)}}, ("b",))
    with pytest.raises(InvalidOutput, match="no 'means'"):
        unified_grade({"result": {"a": {"mean": 1.0}}}, ("a",))


@given(JSON)
def test_any_json_is_graded_or_refused(result: Any) -> None:
    try:
        grade = unified_grade({"result": result})
    except InvalidOutput:
        return
    assert all(isinstance(value, float) for value in grade.metrics.values())
