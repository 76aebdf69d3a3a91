"""What a scripted model says, in the wire formats of the providers, and what is said to it in any of them."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from assay.models.base import ToolCall
from assay.tasks.candidate import text_digest


@dataclass(frozen=True)
class Say:
    """Answer with a text, with tool calls, or with both."""

    text: str = ""
    stop: str = "stop"
    """`stop`, `length` or `refused`."""
    calls: tuple[ToolCall, ...] = ()
    """A call whose id is empty goes out without one."""
    thought: str = ""
    """Shown before the answer, sealed as the provider seals it, so that it can come back with the calls' results."""
    input_tokens: int = 100
    cached_tokens: int = 0
    output_tokens: int = 10
    reasoning_tokens: int = 0


def answer(path: str, said: Say) -> dict[str, Any]:
    """The body of the answer on the wire that a request's path belongs to."""
    if path.endswith("/chat/completions"):
        return _chat(said)
    if path.endswith("/responses"):
        return _responses(said)
    if path.endswith("/messages"):
        return _anthropic(said)
    return _google(said)


def _chat(said: Say) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": said.text}
    if said.thought:
        message["reasoning_content"] = said.thought
        # OpenRouter's own field, which has room for a seal
        sealed = {"type": "reasoning.text", "text": said.thought, "signature": _seal(said.thought), "format": "unknown"}
        message["reasoning_details"] = [sealed]
    if said.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in said.calls
        ]
    stop = {"refused": "content_filter", "stop": "tool_calls" if said.calls else "stop"}
    return {
        "id": "scripted",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "provider": "scripted",  # OpenRouter's clients want it, others pass it over
        "choices": [{"index": 0, "message": message, "finish_reason": stop.get(said.stop, said.stop)}],
        "usage": {
            "prompt_tokens": said.input_tokens,
            "completion_tokens": said.output_tokens,
            "total_tokens": said.input_tokens + said.output_tokens,
            "prompt_tokens_details": {"cached_tokens": said.cached_tokens},
            "completion_tokens_details": {"reasoning_tokens": said.reasoning_tokens},
        },
    }


def _responses(said: Say) -> dict[str, Any]:
    content = (
        {"type": "refusal", "refusal": said.text or "no"}
        if said.stop == "refused"
        else {"type": "output_text", "text": said.text, "annotations": []}
    )
    thought = {
        "type": "reasoning",
        "id": "rs",
        "summary": [{"type": "summary_text", "text": said.thought}],
        "encrypted_content": _seal(said.thought),
    }
    message = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [content]}
    calls = [
        {"type": "function_call", "id": f"fc{n}", "call_id": call.id, "name": call.name, "arguments": call.arguments}
        for n, call in enumerate(said.calls)
    ]
    cut = said.stop == "length"
    return {
        "id": "scripted",
        "object": "response",
        "created_at": 1,
        "model": "scripted",
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "output": [
            *([thought] if said.thought else []),
            *([message] if said.text or not said.calls else []),
            *calls,
        ],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": said.input_tokens,
            "output_tokens": said.output_tokens,
            "total_tokens": said.input_tokens + said.output_tokens,
            "input_tokens_details": {"cached_tokens": said.cached_tokens},
            "output_tokens_details": {"reasoning_tokens": said.reasoning_tokens},
        },
    }


def _anthropic(said: Say) -> dict[str, Any]:
    thought = {"type": "thinking", "thinking": said.thought, "signature": _seal(said.thought)}
    text = {"type": "text", "text": said.text}
    calls = [{"type": "tool_use", "id": call.id, "name": call.name, "input": _arguments(call)} for call in said.calls]
    return {
        "id": "scripted",
        "type": "message",
        "role": "assistant",
        "model": "scripted",
        "content": [
            *([thought] if said.thought else []),
            *([text] if said.text or not said.calls else []),
            *calls,
        ],
        "stop_reason": {
            "stop": "tool_use" if said.calls else "end_turn",
            "length": "max_tokens",
            "refused": "refusal",
        }[said.stop],
        "usage": {
            # on this wire the cached part is not in the input tokens
            "input_tokens": said.input_tokens - said.cached_tokens,
            "cache_read_input_tokens": said.cached_tokens,
            "output_tokens": said.output_tokens,
        },
    }


def _google(said: Say) -> dict[str, Any]:
    # this provider reads its model's calls itself: what it cannot read, it keeps to itself
    lost = any(not isinstance(_arguments(call), dict) for call in said.calls)
    stop = {"stop": "MALFORMED_FUNCTION_CALL" if lost else "STOP", "length": "MAX_TOKENS", "refused": "SAFETY"}
    thought = {"text": said.thought, "thought": True}
    calls: list[dict[str, Any]] = [
        {"functionCall": {"name": call.name, "args": _arguments(call), **({"id": call.id} if call.id else {})}}
        for call in said.calls
    ]
    if calls and said.thought:
        calls[0]["thoughtSignature"] = _seal(said.thought)
    text = [{"text": said.text}] if said.text or not said.calls else []
    parts = [] if lost else [*([thought] if said.thought else []), *text, *calls]
    return {
        "candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": stop[said.stop]}],
        "usageMetadata": {
            # on this wire the thought is not in the candidates' tokens
            "promptTokenCount": said.input_tokens,
            "cachedContentTokenCount": said.cached_tokens,
            "candidatesTokenCount": said.output_tokens - said.reasoning_tokens,
            "thoughtsTokenCount": said.reasoning_tokens,
            "totalTokenCount": said.input_tokens + said.output_tokens,
        },
        "modelVersion": "scripted",
    }


def _arguments(call: ToolCall) -> Any:
    """For the wires that carry arguments as an object: the object, or the text that is none."""
    try:
        value = json.loads(call.arguments or "{}")
    except ValueError:
        return call.arguments
    return value if isinstance(value, dict) else call.arguments


def _seal(thought: str) -> str:
    # hexadecimal, because one of the providers wants base64 and this is both
    return text_digest(thought)


SPOKEN = {
    *("content", "text", "parts", "messages", "input", "contents", "system", "systemInstruction"),
    *("output", "functionResponse", "response", "return_value"),  # a tool's result, where it is not the content
}
"""The fields of a request that hold what is said to a model, or hold the fields that do."""


def texts(value: Any) -> Iterator[str]:
    """Every text of a request body, results of tools included, in order, whatever the provider calls the field."""
    if isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in SPOKEN:
                yield from [item] if isinstance(item, str) else texts(item)
