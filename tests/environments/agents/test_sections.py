"""Answers in sections are read strictly: the first complete action counts, and nothing is guessed."""

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.environments.agents.sections import Unreadable, read_input, read_sections

NAMES = ["Thought", "Action", "Action Input"]


def test_labels_are_read_in_order() -> None:
    found = read_sections('Thought: look\nat it\nAction: List Files\nAction Input: {"dir_path": "."}', NAMES)
    assert found == {"Thought": "look\nat it", "Action": "List Files", "Action Input": '{"dir_path": "."}'}


@pytest.mark.parametrize(
    "text",
    [
        '**Thought:** look\n**Action:** List Files\n**Action Input:** {"dir_path": "."}',
        '## Thought: look\r\n## Action : List Files\r\n## Action Input:\r\n{"dir_path": "."}\r\n',
        '<think>Action: Execute Script</think>\nThought: look\nAction: List Files\nAction Input: {"dir_path": "."}',
        'Sure!\nThought: look\nAction: List Files\nAction Input:\n```json\n{"dir_path": "."}\n```\nGood luck!',
        'Thought: look\nAction: List Files\nAction Input: ```{"dir_path": "."}```',
    ],
)
def test_what_stands_around_the_labels_does_not_matter(text: str) -> None:
    found = read_sections(text, NAMES)
    assert found["Action"] == "List Files" and found["Thought"] == "look"
    assert read_input(found["Action Input"]) == {"dir_path": "."}


def test_of_several_turns_that_were_made_up_the_first_counts() -> None:
    text = (
        'Thought: look\nAction: List Files\nAction Input: {"dir_path": "."}\nObservation: train.py\n'
        'Thought: run\nAction: Execute Script\nAction Input: {"script_name": "train.py"}\nObservation: 99 %\n'
        'Thought: done\nAction: Final Answer\nAction Input: {"final_answer": "99 %"}'
    )
    for made_up in (
        text,
        text.replace("Observation: train.py\n", ""),
        text.replace("Observation:", "**Observation:**"),
    ):
        found = read_sections(made_up, NAMES)
        assert found["Action"] == "List Files" and read_input(found["Action Input"]) == {"dir_path": "."}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would list the files.",
        'Action: List Files\nAction Input: {"dir_path": "."}',
        'Action: List Files\nAction Input: {"dir_path": "."}\nThought: look',
        'Thought: look\nAction: List Files\nObservation: train.py\nAction Input: {"dir_path": "."}',
        'Thought: look; Action: List Files; Action Input: {"dir_path": "."}',
    ],
)
def test_an_answer_without_every_label_in_its_place_is_unreadable(text: str) -> None:
    with pytest.raises(Unreadable, match="is missing, or not in its place"):
        read_sections(text, NAMES)


@pytest.mark.parametrize("broken", [False, True])
def test_a_script_in_the_input_may_hold_the_word_observation(broken: bool) -> None:
    code = 'X = """\nObservation: 1\nAction: none\n"""\n'
    given_ = json.dumps({"file_name": "a.py", "content": code})
    if broken:  # models write line breaks into texts, where JSON has none
        given_ = given_.replace("\\n", "\n")
    text = f"Thought: write\nAction: Write File\nAction Input: {given_}\nObservation: written\n"
    assert read_input(read_sections(text, NAMES)["Action Input"])["content"] == code


@pytest.mark.parametrize(
    "text",
    [
        "",
        "train.py",
        '"train.py"',
        "[1]",
        "{'script_name': 'train.py'}",
        '{"script_name": "train.py"',
        '"script_name": "train.py"',
        '{"script_name": train.py}',
        '{"script_name": """train.py"""}',
        '{"script_name": ["train.py"]}',
        '{"a": ' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"a": ' + "9" * 5000 + "}",
    ],
)
def test_junk_is_never_taken_for_an_input(text: str) -> None:
    with pytest.raises(Unreadable):
        read_input(text)


def test_a_further_key_does_not_end_up_in_the_value_before_it() -> None:
    found = read_input('{"file_name": "a.py", "mode": "w", "content": "x"}')
    assert found == {"file_name": "a.py", "mode": "w", "content": "x"}


@given(st.text() | st.from_regex(r'((Thought|Action|Action Input|Observation):|[ \n{}"`]|a){0,30}', fullmatch=True))
def test_reading_never_fails_in_another_way(text: str) -> None:
    for read in (lambda: read_sections(text, NAMES), lambda: read_input(text)):
        with contextlib.suppress(Unreadable):
            read()


@given(st.dictionaries(st.text(max_size=5), st.text() | st.integers() | st.booleans() | st.none(), max_size=4))
def test_what_is_written_is_read(arguments: dict[str, Any]) -> None:
    text = f"Thought: x\nAction: y\nAction Input: {json.dumps(arguments)}\nObservation: z"
    assert read_input(read_sections(text, NAMES)["Action Input"]) == arguments
