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
_JSON = re.compile(r"\s*(?:```(?:json)?\s*)?\{")
"""How an object begins, in a fence or bare."""
# line breaks within a text are let through: models write them, and they can mean one thing only
_DECODER = json.JSONDecoder(strict=False)


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
    places = []
    at = 0
    for name in names:
        found = re.compile(rf"^[ \t*#]*{re.escape(name)}[ \t*]*:[ \t*]*", re.MULTILINE).search(text, at)
        if found is None or _OBSERVATION.search(text, at, found.start()):
            raise Unreadable(f"the label '{name}:' is missing, or not in its place")
        places.append((name, found.start(), found.end()))
        at = found.end()
    ends = [start for _, start, _ in places[1:]] + [at + _length(text[at:])]
    return {name: text[begin:end].strip() for (name, _, begin), end in zip(places, ends, strict=True)}


def _length(last: str) -> int:
    """How much of what follows the last label belongs to it: its JSON, which may hold any word, or all before the
    observation that the model made up."""
    start = _JSON.match(last)
    if start is not None:
        try:
            return _DECODER.raw_decode(last, start.end() - 1)[1]
        except (ValueError, RecursionError):
            pass
    made_up = _OBSERVATION.search(last)
    return made_up.start() if made_up else len(last)


def read_input(text: str) -> dict[str, Any]:
    """The JSON object of an Action Input, in a fence or bare. Raises Unreadable; never guesses."""
    start = _JSON.match(text)
    if start is None:
        raise Unreadable("the Action Input is not a JSON object")
    try:
        value, _ = _DECODER.raw_decode(text, start.end() - 1)
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"the Action Input is not JSON: {error}") from None
    return flat(value)


def flat(value: dict[str, Any]) -> dict[str, Any]:
    """The arguments of an action. Raises Unreadable if there are others than texts and numbers, which none takes."""
    for name, given in value.items():
        if isinstance(given, dict | list):
            raise Unreadable(f"'{name}' is neither a text nor a number")
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
