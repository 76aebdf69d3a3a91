"""The dispatch of actions, in MLAgentBench's order and with its first words; and nothing that is asked ends a run."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.environments.actions.base import Helpers
from assay.environments.actions.catalogue import CATALOGUE
from assay.environments.environment import act, available
from assay.models.testing import Fail, Say

READING = {"file_name": "train.py", "things_to_look_for": "the slope"}


@pytest.mark.parametrize("arguments", [{"final_answer": "done"}, {}, "Done!", {"other": 1}])
def test_row_1_final_answer_ends_whatever_its_arguments_are(arguments: Any, bench: Any) -> None:
    seen = bench("Final Answer", arguments)
    assert (seen.text, seen.kind) == ("end", "end")


def test_row_2_an_unknown_action_is_answered_with_all_names(bench: Any) -> None:
    seen = bench("Train Model", "not even JSON")
    assert seen.kind == "unknown" and "nothing was done" in seen.text
    assert seen.text.endswith(", ".join(name for name in CATALOGUE if name != "Request Help"))


def test_row_3_arguments_that_are_no_mapping_are_answered_with_the_usage(bench: Any) -> None:
    seen = bench("Copy File", '{"source": "a"')
    assert seen.kind == "arguments" and not seen.text.startswith("EnvError")
    assert "must be a JSON object" in seen.text and "comma" in seen.text
    assert '"source": [' in seen.text and '"destination": [' in seen.text


def test_row_4_a_prompt_that_is_too_long_is_an_observation(bench: Any, model: Any) -> None:
    said, client = model
    said.says(Fail(400, "This model's maximum context length is 8192 tokens"))
    seen = bench.asking(Helpers(fast=client))("Understand File", READING)
    assert (seen.text, seen.kind) == ("EnvError: too long input for the tool", "error")


@pytest.mark.parametrize("answer", [Fail(500), Say("I cannot.", stop="refused"), Say("")])
def test_row_5_a_model_that_fails_within_an_action_is_an_observation(answer: Any, bench: Any, model: Any) -> None:
    said, client = model
    said.says(answer)
    asking = bench.asking(Helpers(fast=client, edit=client))
    edit = {"script_name": "train.py", "edit_instruction": "x", "save_name": "train.py"}
    for action, arguments in (("Understand File", READING), ("Edit Script (AI)", edit)):
        seen = asking(action, arguments)
        assert seen.kind == "model" and seen.text.startswith("LLMError: ")
    assert "no model" not in seen.text
    assert "this run has none" in bench("Understand File", READING).text


def test_row_6_what_cannot_be_done_is_an_observation_with_its_reason(bench: Any) -> None:
    seen = bench("Read File", file_name="nowhere.txt")
    assert seen.kind == "error" and seen.text.startswith("EnvError: cannot read nowhere.txt: there is no such file")


@pytest.mark.parametrize(
    "arguments", [{}, {"file_name": "a"}, {"file_name": "a", "content": "b", "mode": "w"}, {"path": "a", "text": "b"}]
)
def test_row_7_missing_and_further_arguments_are_answered_with_the_usage(arguments: Any, bench: Any) -> None:
    seen = bench("Write File", arguments)
    assert seen.kind == "arguments" and seen.text.startswith("EnvError: ")
    assert '"file_name": [' in seen.text and '"content": [' in seen.text
    assert set(bench.workspace.own) == {"train.py"}


def test_row_8_a_success_is_what_the_action_gives_back(bench: Any) -> None:
    seen = bench("Read File", file_name="notes.txt")
    assert (seen.text, seen.kind) == ("The line goes through zero.\n", "ok")
    assert [name for name, _, _ in bench.last.primitives] == ["Read File"]


def test_a_person_is_asked_only_where_one_is_there(bench: Any) -> None:
    assert bench("Request Help", request="which?").kind == "unknown"
    bench.doing = replace(bench.doing, help=lambda request: f"you asked: {request}")
    assert bench("Request Help", request="which?").text == "you asked: which?"
    assert "Request Help" in available(bench.doing)


VALUES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=30)
    | st.sampled_from(["train.py", "train.csv", ".", "data", "../x", "1", "-1", "99999999999"])
)
KEYS = st.sampled_from(sorted({argument for info in CATALOGUE.values() for argument in info.usage}))
NAMES = st.sampled_from(sorted(CATALOGUE)) | st.text(max_size=20)
RUNNING = {"Execute Script", "Python REPL"}
"""Tried elsewhere: each is a process."""


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_an_action_never_raises(bench: Any, model: Any, data: st.DataObject) -> None:
    script, client = model
    name = data.draw(NAMES.filter(lambda name: name not in RUNNING))
    usage = CATALOGUE[name].usage if name in CATALOGUE else {}
    rightly = st.fixed_dictionaries(dict.fromkeys(usage, VALUES))
    arguments = data.draw(rightly | st.dictionaries(KEYS, VALUES, max_size=3) | st.text(max_size=20))
    script.says(data.draw(st.sampled_from(["", "no fence", "```python\nX = 1\n```", "```\n```", "```python\n(\n```"])))
    seen = act(name, arguments, replace(bench.doing, helpers=Helpers(client, client)))
    assert isinstance(seen.text, str) and seen.kind in ("ok", "error", "model", "unknown", "arguments", "end")
    bench.workspace.end_turn()
    assert {"train.csv", "data/test.csv", "notes.txt"}.isdisjoint(bench.workspace.own)
