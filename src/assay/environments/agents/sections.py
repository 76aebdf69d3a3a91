"""Answers in labelled sections, as MLAgentBench's agents give them: told, read strictly, and shown again."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.environments.actions.catalogue import ActionInfo
from assay.environments.agents.base import Turn
from assay.environments.environment import wrong_input
from assay.models.templates import fenced

_OBSERVATION = re.compile(r"^[ \t*#]*Observation[ \t*]*:", re.MULTILINE)


@dataclass(frozen=True)
class Section:
    """A label and what is to be written behind it."""

    name: str
    said: str


THOUGHT = Section("Thought", "what you want to do next, and why")
ACTION = Section("Action", "the name of one action")
ACTION_INPUT = Section("Action Input", "its input, as a JSON object")


class Unreadable(Exception):
    """An answer is not in the form that was asked for."""


def read_sections(text: str, names: Sequence[str]) -> dict[str, str]:
    """What stands behind each label. The labels must be there in order, each at the beginning of a line.

    What a model makes up beyond its own turn, from `Observation:` on, is cut off: of several turns the first counts.
    Raises Unreadable with the first label that is missing.
    """
    text = text.replace("\r\n", "\n").rpartition("</think>")[2]
    if (end := _OBSERVATION.search(text)) is not None:
        text = text[: end.start()]
    places = []
    at = 0
    for name in names:
        found = re.compile(rf"^[ \t*#]*{re.escape(name)}[ \t*]*:[ \t*]*", re.MULTILINE).search(text, at)
        if found is None:
            raise Unreadable(f"the label '{name}:' is missing, or not in its place")
        places.append((name, found.start(), found.end()))
        at = found.end()
    ends = [start for _, start, _ in places[1:]] + [len(text)]
    return {name: text[begin:end].strip() for (name, _, begin), end in zip(places, ends, strict=True)}


def read_input(text: str) -> dict[str, Any]:
    """The JSON object of an Action Input, in a fence or bare. Raises Unreadable; never guesses."""
    text = text.strip().removeprefix("```json").strip("`").strip()
    try:
        # line breaks within a text are let through: models write them, and they can mean one thing only
        value, _ = json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the Action Input is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise Unreadable("the Action Input is not a JSON object")
    return value


def parsing_error(error: Unreadable, info: ActionInfo) -> str:
    """What an agent is told whose input could not be read."""
    return f"ActionInputParsingError: {error}; {wrong_input(info)}"


def written(sections: Mapping[str, str]) -> str:
    """The answer again, without what was around it."""
    return "\n".join(f"{name}: {text}" for name, text in sections.items())


def remembered(turns: Sequence[Turn], observed: int) -> str:
    """Past turns as the conversation has them; only the last `observed` with what came back."""
    shown = []
    for number, turn in enumerate(turns):
        observation = fenced(turn.observation) if len(turns) - number <= observed else "<Done>"
        shown.append(f"{turn.said}\nObservation:\n{observation}")
    return "\n\n".join(shown)
