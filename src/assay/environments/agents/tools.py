"""The same environment through the tool calls of a model's own interface."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import Field, ValidationError

from assay.environments.actions.catalogue import ActionInfo
from assay.environments.agents.base import (
    Decision,
    Desk,
    InteractiveAgent,
    InteractiveParams,
    Turn,
    given_up,
    shortened,
)
from assay.environments.agents.offline import decide_offline
from assay.environments.agents.sections import Unreadable, flat
from assay.environments.render import render
from assay.models.base import Completion, Message, Prompt, Tool, ToolCall

NUDGE = "Nothing was done: act by calling a tool. When you are done, call final_answer."
LEFT_OUT = "(left out: it is long ago)"
WITHOUT = (
    "Append Summary to Research Log",
    "Reflection",
    "Retrieval from Research Log",
    "Edit Script Segment (AI)",
    "Edit Script (AI)",
)
"""A model that calls tools edits for itself and remembers the conversation."""


class ToolsParams(InteractiveParams):
    context_chars: int = Field(200_000, ge=1_000)
    """Characters of observations in the conversation; the oldest beyond that are left out. Half as many where the
    model cannot take them, and half again."""
    max_retries: int = Field(5, ge=1)
    """How often a model that calls no tool is asked again before the run ends."""


class Tools(InteractiveAgent):
    name = "tools"
    summary = "the environment through the model's native tool calls"
    Params = ToolsParams

    def decide(self, desk: Desk, history: Sequence[Turn]) -> Decision:
        if desk.model is None:
            return decide_offline(desk, history)
        offered = {tool_name(name): info for name, info in desk.actions.items() if name not in WITHOUT}
        if (waiting := _unanswered(history)) is not None:
            return _decision(waiting, offered)
        room = self.params.context_chars
        prompt = self._prompt(desk, history, offered, room)
        stop = ""
        for retry in range(self.params.max_retries):
            completion = desk.model.complete(prompt)
            stop = completion.stop
            if completion.calls:
                said = completion.model_dump_json(include={"text", "calls", "state"})
                return _decision(completion.calls[0], offered, said, retry)
            if stop == "too_long":
                room //= 2
                prompt = self._prompt(desk, history, offered, room)
                continue
            talk = Message(role="assistant", content=completion.text or "(nothing)")
            prompt = prompt.then(talk, Message(role="user", content=NUDGE))
        return given_up(stop, self.params.max_retries)

    def motive(self, said: str) -> str:
        try:
            return Completion.model_validate_json(said).text
        except ValidationError:
            return said

    def _prompt(self, desk: Desk, history: Sequence[Turn], offered: Mapping[str, ActionInfo], room: int) -> Prompt:
        """With the latest observations that have room, the very last in part if need be."""
        messages = [
            Message(role="system", content=render("tools")),
            Message(role="user", content=render("problem", problem=desk.problem, budget=desk.budget)),
        ]
        seen: list[str] = []
        for turn in reversed(history):
            observation = turn.observation if seen else shortened(turn.observation, room)
            seen.append(observation if len(observation) <= room or not seen else LEFT_OUT)
            room -= len(observation)
        results = iter(reversed(seen))
        for turn in history:
            if turn.said:
                answer = Completion.model_validate_json(turn.said)
                messages.append(answer.message)
                calls = iter(answer.calls)
            messages.append(next(calls).answered(next(results)))
        return Prompt(messages=tuple(messages), tools=tuple(_tool(name, info) for name, info in offered.items()))


def tool_name(action: str) -> str:
    """`Edit Script (AI)` → edit_script_ai."""
    return re.sub(r"[^a-z0-9]+", "_", action.lower()).strip("_")


def _tool(name: str, info: ActionInfo) -> Tool:
    kinds = {argument: "integer" if argument.endswith("_number") else "string" for argument in info.usage}
    properties = {argument: {"type": kinds[argument], "description": said} for argument, said in info.usage.items()}
    schema = {"type": "object", "properties": properties, "required": list(info.usage), "additionalProperties": False}
    return Tool(name=name, description=f"{info.description} Gives back: {info.return_value}.", parameters=schema)


def _unanswered(history: Sequence[Turn]) -> ToolCall | None:
    """The next call of an answer that asked for several."""
    for since, turn in enumerate(reversed(history), start=1):
        if turn.said:
            calls = Completion.model_validate_json(turn.said).calls
            return calls[since] if since < len(calls) else None
    return None


def _decision(call: ToolCall, offered: Mapping[str, ActionInfo], said: str = "", retries: int = 0) -> Decision:
    info = offered.get(call.name)
    return Decision(info.name if info else call.name, _arguments(call.arguments), said, retries=retries)


def _arguments(text: str) -> dict[str, Any] | str:
    """As an object of texts and numbers; the text itself where it is none."""
    try:
        value = json.loads(text or "{}")
        return flat(value) if isinstance(value, dict) else text
    except (ValueError, RecursionError, Unreadable):
        return text
