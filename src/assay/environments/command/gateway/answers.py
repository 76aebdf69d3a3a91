"""What a model answered and what that used, read from a provider's JSON: one object, or the events of a stream.

Nothing here raises for what a server sends. Where it did not say what was used, there are no counts.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assay.environments.command.gateway.wires import Wire
from assay.models.base import ToolCall


@dataclass(frozen=True)
class Counts:
    """Tokens by what they cost."""

    input: int
    """With all that was read from a cache or written to one."""
    output: int
    """With the thought."""
    cached: int = 0
    reasoning: int = 0
    written: int = 0
    """To a cache."""
    written_for_an_hour: int = 0
    """Part of `written` that is to stay there for long."""


@dataclass
class Answer:
    """An answer while it is read, in our words."""

    text: str = ""
    stop: str = ""
    """As in `assay.models.base.Completion`; empty if the answer broke off."""
    counts: Counts | None = None
    """None if the provider said nothing final about them."""
    _calls: dict[Any, list[str]] = field(default_factory=dict)

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(
            ToolCall(id=_whole(id) or f"call-{place}", name=_whole(name), arguments=_whole(arguments))
            for place, (id, name, arguments) in enumerate(self._calls.values())
        )

    def call(self, key: Any, id: str, name: str, arguments: str) -> None:
        """Add a call, or what a stream says further about one."""
        known = self._calls.setdefault(key, ["", "", ""])
        known[0], known[1], known[2] = known[0] or id, known[1] or name, known[2] + arguments


def read_answer(wire: Wire, payloads: Sequence[Any]) -> Answer:
    """The whole answer; of a broken one, what came."""
    answer = Answer()
    _READERS[wire](answer, payloads)
    answer.text = _whole(answer.text)
    if any(_get(payload, "error") for payload in payloads):
        answer.stop = "error"
    return answer


def _chat(answer: Answer, payloads: Sequence[Any]) -> None:
    for payload in payloads:
        for choice in _list(payload, "choices"):
            _chat_choice(answer, choice)
        if usage := _get(payload, "usage"):
            answer.counts = Counts(
                input=_number(usage, "prompt_tokens"),
                output=_number(usage, "completion_tokens"),
                cached=_number(_get(usage, "prompt_tokens_details"), "cached_tokens"),
                reasoning=_number(_get(usage, "completion_tokens_details"), "reasoning_tokens"),
            )


def _chat_choice(answer: Answer, choice: Any) -> None:
    part = _get(choice, "delta") or _get(choice, "message")
    answer.text += _text(part, "content") + _text(part, "refusal")
    for place, call in enumerate(_list(part, "tool_calls")):
        # a stream numbers its calls, a whole answer has them in order
        number = _get(call, "index")
        called = _get(call, "function") or _get(call, "custom")
        arguments = _text(called, "arguments") + _text(called, "input")
        key = (_number(choice, "index"), place if number is None else str(number))
        answer.call(key, _text(call, "id"), _text(called, "name"), arguments)
    if reason := _text(choice, "finish_reason"):
        answer.stop = {"tool_calls": "tool_call", "content_filter": "refused"}.get(reason, reason)


def _responses(answer: Answer, payloads: Sequence[Any]) -> None:
    answer.text = "".join(_text(p, "delta") for p in payloads if _get(p, "type") == "response.output_text.delta")
    # the last word of a stream is the whole response
    whole = [response for p in payloads if _get(response := _get(p, "response") or p, "usage")]
    if not whole:
        return
    response, usage = whole[-1], _get(whole[-1], "usage")
    output = _list(response, "output")
    said = [_text(part, "text") + _text(part, "refusal") for item in output for part in _list(item, "content")]
    answer.text = "".join(said) or answer.text
    for place, item in enumerate(output):
        if _text(item, "type").endswith("_call"):
            arguments = _text(item, "arguments") or _text(item, "input")
            answer.call(place, _text(item, "call_id"), _text(item, "name"), arguments)
    reason = _text(_get(response, "incomplete_details"), "reason")
    ended = "tool_call" if answer.calls else {"completed": "stop"}.get(_text(response, "status"), "error")
    answer.stop = {"": ended, "max_output_tokens": "length", "content_filter": "refused"}.get(reason, reason)
    answer.counts = Counts(
        input=_number(usage, "input_tokens"),
        output=_number(usage, "output_tokens"),
        cached=_number(_get(usage, "input_tokens_details"), "cached_tokens"),
        reasoning=_number(_get(usage, "output_tokens_details"), "reasoning_tokens"),
    )


_MESSAGE_STOPS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "tool_use": "tool_call",
    "refusal": "refused",
    "model_context_window_exceeded": "too_long",
}


def _messages(answer: Answer, payloads: Sequence[Any]) -> None:
    used: dict[str, Any] = {}
    for payload in payloads:
        kind, delta, place = _text(payload, "type"), _get(payload, "delta"), _number(payload, "index")
        started = [(place, _get(payload, "content_block"))] if kind == "content_block_start" else []
        for number, block in started or enumerate(_list(payload, "content")):
            answer.text += _text(block, "text")
            if _get(block, "type") == "tool_use":
                # a stream says an empty object first, and the arguments bit by bit after it
                given = _get(block, "input")
                arguments = "" if started and not given else json.dumps(given)
                answer.call(number, _text(block, "id"), _text(block, "name"), arguments)
        answer.text += _text(delta, "text")
        if _get(delta, "type") == "input_json_delta":
            answer.call(place, "", "", _text(delta, "partial_json"))
        if reason := _text(payload, "stop_reason") or _text(delta, "stop_reason"):
            answer.stop = _MESSAGE_STOPS.get(reason, reason)
        usage = _get(payload, "usage") or _get(_get(payload, "message"), "usage")
        if isinstance(usage, dict):
            used |= {name: value for name, value in usage.items() if value is not None}
            answer.counts = _message_counts(used) if kind != "message_start" else None


def _message_counts(used: Mapping[str, Any]) -> Counts:
    """On this wire the cache is not in the input tokens."""
    written, cached = _number(used, "cache_creation_input_tokens"), _number(used, "cache_read_input_tokens")
    return Counts(
        input=_number(used, "input_tokens") + cached + written,
        output=_number(used, "output_tokens"),
        cached=cached,
        written=written,
        written_for_an_hour=min(written, _number(_get(used, "cache_creation"), "ephemeral_1h_input_tokens")),
    )


def _gemini(answer: Answer, payloads: Sequence[Any]) -> None:
    for payload in payloads:
        for candidate in _list(payload, "candidates"):
            for part in _list(_get(candidate, "content"), "parts"):
                if call := _get(part, "functionCall"):
                    arguments = json.dumps(_get(call, "args") or {})
                    answer.call(len(answer.calls), _text(call, "id"), _text(call, "name"), arguments)
                answer.text += "" if _get(part, "thought") else _text(part, "text")
            if reason := _text(candidate, "finishReason"):
                ended = "tool_call" if answer.calls else "stop"
                answer.stop = {"STOP": ended, "MAX_TOKENS": "length"}.get(reason, "refused")
        if usage := _get(payload, "usageMetadata"):
            thought = _number(usage, "thoughtsTokenCount")
            answer.counts = Counts(
                input=_number(usage, "promptTokenCount") + _number(usage, "toolUsePromptTokenCount"),
                # on this wire the thought is not in the candidates' tokens
                output=_number(usage, "candidatesTokenCount") + thought,
                cached=_number(usage, "cachedContentTokenCount"),
                reasoning=thought,
            )
    # every part of a stream has the counts so far: only those that come with its end are final
    if not answer.stop:
        answer.counts = None


_READERS: Mapping[Wire, Callable[[Answer, Sequence[Any]], None]] = {
    "chat": _chat,
    "responses": _responses,
    "messages": _messages,
    "gemini": _gemini,
}


def _get(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else None


def _text(value: Any, name: str) -> str:
    found = _get(value, name)
    return found if isinstance(found, str) else ""


def _list(value: Any, name: str) -> list[Any]:
    found = _get(value, name)
    return found if isinstance(found, list) else []


def _number(value: Any, name: str) -> int:
    found = _get(value, name)
    return found if isinstance(found, int) and found >= 0 else 0


def _whole(text: str) -> str:
    """The text without half characters, which JSON can carry but few files can."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
