"""The providers' own wires: which paths are served, and how an error looks on each."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Literal
from urllib.parse import parse_qsl, unquote, urlsplit

Family = Literal["openai", "anthropic", "google"]
"""Whose wire a request is on, whoever answers it: many servers speak OpenAI's."""
Wire = Literal["chat", "responses", "messages", "gemini"]
"""What a metered request and its answer look like."""

_POSTS: tuple[tuple[str, Family, Wire | None], ...] = (
    (r"/v1(?P<path>/chat/completions)", "openai", "chat"),
    (r"/v1(?P<path>/responses)", "openai", "responses"),
    (r"(?P<path>/v1/messages)", "anthropic", "messages"),
    (r"(?P<path>/v1/messages/count_tokens)", "anthropic", None),
    (r"(?P<path>/v1(beta)?/models/(?P<model>[\w.-]+):(generateContent|streamGenerateContent))", "google", "gemini"),
    (r"(?P<path>/v1(beta)?/models/(?P<model>[\w.-]+):countTokens)", "google", None),
)
SERVED = (
    "POST /v1/chat/completions, /v1/responses, /v1/messages, /v1/messages/count_tokens, "
    "/v1beta/models/MODEL:generateContent, :streamGenerateContent and :countTokens (also below /v1); "
    "GET /v1/models and /v1beta/models"
)
_QUERY = {"alt", "beta", "limit", "after_id", "before_id", "pageSize", "pageToken"}
"""What may follow a path. Others could have the provider leave its count of tokens out of the answer."""


class Refusal(Exception):
    """The gateway itself answers, with an error."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.message = message


@dataclass(frozen=True)
class Route:
    """Where one request goes."""

    family: Family
    wire: Wire | None
    """None where nothing is to be paid for."""
    path: str
    """Below the provider's address."""
    query: Mapping[str, str]
    model: str | None = None
    """Where the path names it and not the body."""


def find_route(method: str, target: str, headers: Mapping[str, str]) -> Route:
    """The route of a request. Raises Refusal with what is served if there is none."""
    try:
        parts = urlsplit(target)
    except ValueError:
        raise Refusal(HTTPStatus.BAD_REQUEST, "that is not an address") from None
    path = unquote(parts.path)
    query = {name: value for name, value in parse_qsl(parts.query) if name in _QUERY}
    if query.get("alt") not in ("sse", "json"):
        query.pop("alt", None)
    if method == "GET" and path == "/v1beta/models":
        return Route("google", None, path, query)
    if method == "GET" and path == "/v1/models":
        anthropic = "anthropic-version" in headers
        return Route("anthropic" if anthropic else "openai", None, path if anthropic else "/models", query)
    for pattern, family, wire in _POSTS:
        if method == "POST" and (match := re.fullmatch(pattern, path, re.ASCII)):
            return Route(family, wire, match["path"], query, match.groupdict().get("model"))
    raise Refusal(HTTPStatus.NOT_FOUND, f"this gateway does not serve {method} {path[:100]}; it serves {SERVED}")


def presented_token(target: str, headers: Mapping[str, str]) -> str:
    """The key that a program sent, wherever its provider's clients put it; empty if none."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return bearer.strip()
    named = headers.get("x-api-key") or headers.get("x-goog-api-key")
    return named or dict(parse_qsl(urlsplit(target).query)).get("key", "")


def error_body(family: Family, status: HTTPStatus, message: str) -> bytes:
    """An error as this provider's clients read it."""
    kind = status.phrase.lower().replace(" ", "_")
    shapes = {
        "openai": {"error": {"message": message, "type": kind, "param": None, "code": kind}},
        "anthropic": {"type": "error", "error": {"type": kind, "message": message}},
        "google": {"error": {"code": int(status), "message": message, "status": kind.upper()}},
    }
    return json.dumps(shapes[family]).encode()
