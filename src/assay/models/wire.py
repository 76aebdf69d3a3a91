"""Between our prompts and completions and the messages of pydantic-ai. Imported late, for pydantic-ai is heavy."""

import json
import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NoReturn

from pydantic import TypeAdapter, ValidationError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    ModelResponsePart,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from assay.models.base import Completion, Message, ModelSettings, Prompt, ToolCall
from assay.models.names import ProviderName
from assay.models.usage import Usage

STATE: TypeAdapter[list[ModelResponsePart]] = TypeAdapter(list[ModelResponsePart])

MADE_UP = "pyd_ai_"
"""How the ids begin that pydantic-ai makes up, at random, where a provider gives none."""
UNREADABLE = "INVALID_JSON"
"""Under this name arguments go back that are no JSON object, on wires that carry nothing else."""
DEEPEST = 32
"""How deep arguments that go back may be nested: the libraries on the way recurse into them."""


def to_messages(prompt: Prompt, system: str) -> list[ModelMessage]:
    """The conversation for a model of the provider that pydantic-ai calls `system`."""
    built: list[ModelMessage] = []
    names: dict[str, str] = {}
    for role, turns in groupby(prompt.messages, key=lambda message: message.role):
        match role:
            case "system":
                built += [ModelRequest(parts=[SystemPromptPart(content=turn.content)]) for turn in turns]
            case "user":
                built += [ModelRequest(parts=[UserPromptPart(content=turn.content)]) for turn in turns]
            case "assistant":
                for turn in turns:
                    names = {call.id: _name(call) for call in turn.calls}
                    built.append(ModelResponse(parts=_said(turn), provider_name=system if turn.state else None))
            case "tool":
                # the results of one answer's calls go back together, which is what the providers want
                built.append(ModelRequest(parts=[_result(turn, names[turn.answers]) for turn in turns]))
    return built


def to_parameters(prompt: Prompt) -> ModelRequestParameters:
    """The tools that the model may call, or answer in words instead."""
    return ModelRequestParameters(
        function_tools=[
            ToolDefinition(name=tool.name, description=tool.description, parameters_json_schema=tool.parameters)
            for tool in prompt.tools
        ]
    )


def to_settings(settings: ModelSettings, provider: ProviderName) -> Any:
    wire: dict[str, Any] = {
        "max_tokens": settings.max_output_tokens,
        "max_retries": 0,  # retries are counted and spaced by us, in one place
        "timeout": settings.timeout_seconds,
        "request_timeout": settings.timeout_seconds,  # a server that drips one byte a second is slow too
    }
    if settings.temperature is not None:
        wire["temperature"] = settings.temperature
    if settings.reasoning is not None:
        wire["thinking"] = False if settings.reasoning == "none" else settings.reasoning
        # a server of one's own may serve any model: what was asked for is sent, and not left out as unknown
        if provider == "openai-compatible":
            wire["openai_reasoning_effort"] = settings.reasoning
    return wire


def to_completion(response: ModelResponse, prompt: Prompt) -> Completion:
    """What was answered to `prompt`, whatever it is. Its usage has no price yet."""
    text = _valid("".join(part.content for part in response.parts if isinstance(part, TextPart)))
    calls = tuple(_calls(response, prompt))
    spent = response.usage
    return Completion(
        text=text,
        calls=calls,
        state=_state(response) if calls else "",
        stop=_stop(response, text, calls),
        usage=Usage(
            calls=1,
            input_tokens=spent.input_tokens,
            cached_tokens=spent.cache_read_tokens,
            output_tokens=spent.output_tokens,
            reasoning_tokens=spent.output_reasoning_tokens,
        ),
    )


def _stop(response: ModelResponse, text: str, calls: tuple[ToolCall, ...]) -> str:
    if response.finish_reason == "content_filter" or "refusal" in (response.provider_details or {}):
        return "refused"
    if not calls:
        return response.finish_reason or "stop" if text.strip() else "empty"
    # not every provider has a word of its own for an answer that waits for results
    return "tool_call" if response.finish_reason in (None, "stop") else response.finish_reason


def _calls(response: ModelResponse, prompt: Prompt) -> Iterator[ToolCall]:
    """With the provider's ids, or where it gives none or one twice, with ids of ours: the same for the same answers."""
    used = {call.id for message in prompt.messages for call in message.calls}
    for part in response.parts:
        if not isinstance(part, ToolCallPart):
            continue
        name = _valid(str(part.tool_call_id or ""))
        if not name or name in used or name.startswith(MADE_UP):
            name = next(free for n in range(len(used) + 1) if (free := f"call_{n}") not in used)
        used.add(name)
        args = part.args
        raw = args if isinstance(args, str) else "" if args is None else json.dumps(args, ensure_ascii=False)
        yield ToolCall(id=name, name=_valid(str(part.tool_name or "")), arguments=_valid(raw))


def _state(response: ModelResponse) -> str:
    """The parts of the answer, if there is more in them than a completion tells; of the calls no more than that."""
    if not any(isinstance(part, ThinkingPart) or part.provider_details for part in response.parts):
        return ""
    blank = ToolCallPart("", tool_call_id="")
    parts = [_attached(part, blank) if isinstance(part, ToolCallPart) else part for part in response.parts]
    return _valid(json.dumps(STATE.dump_python(parts), ensure_ascii=False))


def _said(turn: Message) -> list[ModelResponsePart]:
    words: list[ModelResponsePart] = [TextPart(content=turn.content)] if turn.content.strip() or not turn.calls else []
    calls = [ToolCallPart(_name(call), _arguments(call), call.id) for call in turn.calls]
    try:
        parts = STATE.validate_json(turn.state or "[]")
    except ValidationError:
        parts = []
    if not parts or sum(isinstance(part, ToolCallPart) for part in parts) != len(calls):
        # nothing to attach, or written by another version of pydantic-ai: what was said and called goes back as it is
        return [*words, *calls]
    made = iter(calls)
    return [_attached(part, next(made)) if isinstance(part, ToolCallPart) else part for part in parts]


def _attached(part: ToolCallPart, call: ToolCallPart) -> ToolCallPart:
    """The call, with what the provider attached to `part`."""
    return ToolCallPart(
        call.tool_name,
        call.args,
        call.tool_call_id,
        id=part.id,
        provider_name=part.provider_name,
        provider_details=part.provider_details,
    )


def _result(turn: Message, name: str) -> ToolReturnPart:
    # a result without a letter is refused by some providers
    return ToolReturnPart(
        tool_name=name, content=turn.content if turn.content.strip() else "(nothing)", tool_call_id=turn.answers
    )


def _name(call: ToolCall) -> str:
    """The name as providers take it back, whatever the model made of it."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", call.name)[:64] or "_"


def _arguments(call: ToolCall) -> dict[str, Any]:
    """The arguments as every wire can carry them."""
    if not call.arguments.strip():
        return {}
    try:
        value = json.loads(call.arguments, parse_constant=_no_json)
        # numbers beyond all bounds and half characters are read without complaint, but cannot be written
        json.dumps(value, allow_nan=False, ensure_ascii=False).encode()
        if isinstance(value, dict) and _depth(value) <= DEEPEST:
            return value
    except (ValueError, RecursionError):
        pass
    return {UNREADABLE: call.arguments}


def _no_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not JSON")


def _depth(value: Any) -> int:
    if not isinstance(value, dict | list):
        return 0
    return 1 + max(map(_depth, value.values() if isinstance(value, dict) else value), default=0)


def _valid(text: str) -> str:
    """The text without half characters, which JSON can carry but no file, journal or later request can."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
