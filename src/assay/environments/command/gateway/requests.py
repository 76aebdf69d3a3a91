"""What of a program's request goes on to the provider: all but what could not be counted, or would reach the network.

A provider can do more than answer: search the web, fetch pages, run code, call other servers, each at a price that no
count of tokens shows. A program without network would have it again that way.
"""

import json
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from assay.environments.command.gateway.wires import Refusal, Wire

_DROPPED: Mapping[Wire, tuple[str, ...]] = {
    # other prices than the table's; answers fetched later; other models than the one asked for
    "chat": ("service_tier", "models", "route", "web_search_options", "plugins"),
    "responses": ("service_tier", "background", "prompt"),
    "messages": ("service_tier", "speed", "mcp_servers", "container"),
    "gemini": ("service_tier", "serviceTier", "cached_content", "cachedContent"),
}
_CLIENT_TOOLS: Mapping[Wire, tuple[str, ...]] = {
    "chat": ("function", "custom"),
    "responses": ("function", "custom", "local_shell", "apply_patch"),
    "messages": ("custom", "bash_", "text_editor_", "computer_", "memory_"),
    "gemini": ("functionDeclarations", "function_declarations"),
}
"""Tools that the program carries out itself. On the Messages wire their types end in a date."""


def parse_body(data: bytes) -> dict[str, Any]:
    """A request's JSON. Raises Refusal if it is none."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        raise Refusal(HTTPStatus.BAD_REQUEST, "the body is not JSON") from None
    if not isinstance(body, dict):
        raise Refusal(HTTPStatus.BAD_REQUEST, "the body is not a JSON object")
    return body


def asked_model(body: Mapping[str, Any]) -> str:
    """The model that a body names. Raises Refusal if it names none."""
    model = body.get("model")
    if not isinstance(model, str) or not model:
        raise Refusal(HTTPStatus.BAD_REQUEST, "the body names no model")
    return model


def counts_shown(body: Mapping[str, Any]) -> bool:
    """Whether the program itself asked for the count of tokens at the end of a chat's stream."""
    options = body.get("stream_options")
    return isinstance(options, dict) and options.get("include_usage") is True


def passed_on(wire: Wire, body: Mapping[str, Any], hosted_tools: bool) -> dict[str, Any]:
    """The request as the provider gets it. With `hosted_tools`, the provider's own tools stay."""
    kept = {name: value for name, value in body.items() if name not in _DROPPED[wire]}
    if wire == "chat" and kept.get("stream"):
        options = kept.get("stream_options")
        kept["stream_options"] = {**(options if isinstance(options, dict) else {}), "include_usage": True}
    if hosted_tools or "tools" not in kept:
        return kept
    # one tool without a list around it is taken for a list of one by some
    tools = kept["tools"] if isinstance(kept["tools"], list) else [kept["tools"]]
    kept["tools"] = [own for tool in tools if (own := _OWN_PART[wire](tool, _CLIENT_TOOLS[wire]))]
    if not kept["tools"]:
        for name in ("tools", "tool_choice", "toolConfig", "tool_config"):
            kept.pop(name, None)
    return kept


def _named(tool: Any, types: tuple[str, ...]) -> Any:
    return tool if isinstance(tool, dict) and tool.get("type") in types else None


def _dated(tool: Any, types: tuple[str, ...]) -> Any:
    return tool if isinstance(tool, dict) and str(tool.get("type") or "custom").startswith(types) else None


def _fields(tool: Any, names: tuple[str, ...]) -> Any:
    return {name: value for name, value in tool.items() if name in names} if isinstance(tool, dict) else None


_OWN_PART: Mapping[Wire, Callable[[Any, tuple[str, ...]], Any]] = {
    "chat": _named,
    "responses": _named,
    "messages": _dated,
    "gemini": _fields,
}
