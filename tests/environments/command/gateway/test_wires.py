"""The providers' own client libraries work through the gateway as they work without it, whole or as a stream."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import anthropic
import httpx2
import openai
import pytest
from google import genai

from assay.models.base import ToolCall
from assay.models.prices import price
from assay.models.testing import Garbage, Say, ScriptedServer
from assay.models.usage import Usage

SAID = Say("three words here", input_tokens=1000, cached_tokens=400, output_tokens=50, reasoning_tokens=20)
USAGE = Usage(calls=1, input_tokens=1000, cached_tokens=400, output_tokens=50, reasoning_tokens=20)


def sse(*payloads: Any, last: str = "") -> str:
    """A stream as servers write it, event names included where the wire has them."""
    named = (f"event: {p['type']}\n" if "type" in p else "" for p in payloads)
    return "".join(f"{name}data: {json.dumps(p)}\n\n" for name, p in zip(named, payloads, strict=True)) + last


def chat(client: openai.OpenAI, model: str, stream: bool) -> str:
    asked: Any = {"model": model, "messages": [{"role": "user", "content": "hi"}], "stream": stream}
    answer: Any = client.chat.completions.create(**asked)
    if not stream:
        return str(answer.choices[0].message.content)
    return "".join(chunk.choices[0].delta.content or "" for chunk in answer)


def responses(client: openai.OpenAI, model: str, stream: bool) -> str:
    answer: Any = client.responses.create(model=model, input="hi", stream=stream)
    if not stream:
        return str(answer.output_text)
    return "".join(event.delta for event in answer if event.type == "response.output_text.delta")


def messages(client: anthropic.Anthropic, model: str, stream: bool) -> str:
    asked: Any = {"model": model, "max_tokens": 100, "messages": [{"role": "user", "content": "hi"}]}
    if not stream:
        return str(client.messages.create(**asked).content[0].text)  # type: ignore[union-attr]
    with client.messages.stream(**asked) as answer:
        return "".join(answer.text_stream)


def gemini(client: genai.Client, model: str, stream: bool) -> str:
    if not stream:
        return str(client.models.generate_content(model=model, contents="hi").text)
    parts = client.models.generate_content_stream(model=model, contents="hi")
    return "".join(part.text or "" for part in parts)


CHAT = sse(
    *({"choices": [{"index": 0, "delta": {"content": word}}]} for word in ("three ", "words ", "here")),
    {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
    {
        "choices": [],
        "usage": {
            "prompt_tokens": 1000,
            "completion_tokens": 50,
            "prompt_tokens_details": {"cached_tokens": 400},
            "completion_tokens_details": {"reasoning_tokens": 20},
        },
    },
    last="data: [DONE]\n\n",
)
RESPONSES = sse(
    {"type": "response.output_text.delta", "delta": "three words "},
    {"type": "response.output_text.delta", "delta": "here"},
    {
        "type": "response.completed",
        "response": {
            "status": "completed",
            "output": [{"type": "message", "content": [{"type": "output_text", "text": "three words here"}]}],
            "usage": {
                "input_tokens": 1000,
                "output_tokens": 50,
                "input_tokens_details": {"cached_tokens": 400},
                "output_tokens_details": {"reasoning_tokens": 20},
            },
        },
    },
)
MESSAGES = sse(
    {
        "type": "message_start",
        "message": {
            "id": "m",
            "type": "message",
            "role": "assistant",
            "model": "m",
            "content": [],
            "stop_reason": None,
            "usage": {"input_tokens": 600, "cache_read_input_tokens": 400, "output_tokens": 1},
        },
    },
    {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "three words "}},
    {"type": "ping"},
    {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "here"}},
    {"type": "content_block_stop", "index": 0},
    {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 50}},
    {"type": "message_stop"},
)
GEMINI = sse(
    {
        "candidates": [{"content": {"role": "model", "parts": [{"text": "three words "}]}}],
        "usageMetadata": {"promptTokenCount": 1000, "candidatesTokenCount": 1},
    },
    {
        "candidates": [{"content": {"role": "model", "parts": [{"text": "here"}]}, "finishReason": "STOP"}],
        "usageMetadata": {
            "promptTokenCount": 1000,
            "cachedContentTokenCount": 400,
            "candidatesTokenCount": 30,
            "thoughtsTokenCount": 20,
        },
    },
)


@dataclass(frozen=True)
class Case:
    """One wire: a priced model on it, the client that speaks it, and a stream as its provider sends it."""

    model: str
    key: str
    """The header in which the provider wants the key."""
    ask: Callable[[Any, str, bool], str]
    stream: str
    reasoning: bool = True
    """Whether the wire tells thought from speech."""

    def client(self, variables: dict[str, str]) -> Any:
        if self.model.startswith("anthropic"):
            address, token = variables["ANTHROPIC_BASE_URL"], variables["ANTHROPIC_API_KEY"]
            return anthropic.Anthropic(base_url=address, api_key=token, max_retries=0)
        if self.model.startswith("google"):
            address, token = variables["GOOGLE_GEMINI_BASE_URL"], variables["GEMINI_API_KEY"]
            return genai.Client(api_key=token, http_options={"base_url": address})
        return openai.OpenAI(base_url=variables["OPENAI_BASE_URL"], api_key=variables["OPENAI_API_KEY"], max_retries=0)

    def address(self, server: ScriptedServer) -> str:
        return server.url if self.model.startswith("openai") else server.address


CASES = {
    "chat": Case("openai:gpt-5", "authorization", chat, CHAT),
    "responses": Case("openai:gpt-5", "authorization", responses, RESPONSES),
    "messages": Case("anthropic:claude-haiku-4-5", "x-api-key", messages, MESSAGES, reasoning=False),
    "gemini": Case("google:gemini-2.5-pro", "x-goog-api-key", gemini, GEMINI),
}


@pytest.fixture(params=CASES)
def case(request: pytest.FixtureRequest) -> Iterator[Case]:
    yield CASES[request.param]


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_a_call_goes_through_with_the_real_key_and_is_counted(case, stream, open_run, provider):
    server = provider([Garbage(case.stream, "text/event-stream") if stream else SAID])
    run = open_run(f"{case.model}@{case.address(server)}")
    name = case.model.partition(":")[2]

    assert case.ask(case.client(run.gateway.variables), name, stream) == "three words here"

    (asked,) = server.asked
    assert asked.headers[case.key].removeprefix("Bearer ").startswith("sk-real-")
    assert run.gateway.token not in str(asked)
    assert name in asked.path + str(asked.body.get("model"))
    (call,) = run.calls
    usage = USAGE if case.reasoning else USAGE.model_copy(update={"reasoning_tokens": 0})
    assert call.completion.usage == usage.model_copy(update={"usd": price(case.model, usage)})
    assert call.completion.usage.usd and call.measured and call.status == 200
    assert (call.model, call.completion.text, call.completion.stop) == (case.model, "three words here", "stop")
    assert json.loads(call.request) == asked.body


CALLED = Say(calls=(ToolCall(id="c1", name="look", arguments='{"at": "x"}'),), input_tokens=7, output_tokens=3)


@pytest.mark.parametrize(
    ("model", "path"),
    [
        ("openai:gpt-5", "/v1/chat/completions"),
        ("openai:gpt-5", "/v1/responses"),
        ("anthropic:claude-haiku-4-5", "/v1/messages"),
        ("google:gemini-2.5-pro", "/v1beta/models/gemini-2.5-pro:generateContent"),
    ],
)
def test_tool_calls_are_part_of_the_record(model, path, open_run, provider):
    server = provider([CALLED])
    run = open_run(f"{model}@{server.url if model.startswith('openai') else server.address}")
    run.post(path, {"model": model.partition(":")[2]})
    (call,) = run.calls
    assert call.completion.stop == "tool_call"
    assert [(c.name, json.loads(c.arguments)) for c in call.completion.calls] == [("look", {"at": "x"})]
    assert call.completion.usage.tokens == 10


def test_a_stream_without_events_is_read_too(open_run, provider):
    """Google's wire has an array in place of events if nobody asks for them."""
    parts = [json.loads(line.removeprefix("data: ")) for line in GEMINI.strip().split("\n\n")]
    server = provider([Garbage(json.dumps(parts), "application/json")])
    run = open_run(f"google:gemini-2.5-pro@{server.address}")
    answer = run.post("/v1beta/models/gemini-2.5-pro:streamGenerateContent", {"contents": []})
    assert answer.json() == parts
    assert run.calls[0].completion.text == "three words here" and run.calls[0].completion.usage.tokens == 1050


def test_counting_costs_nothing_and_asks_nobody(open_run, provider):
    def never(model: str) -> None:
        raise AssertionError

    server = provider([Say(), Say()])
    run = open_run(f"anthropic:claude-haiku-4-5@{server.address}", f"google:g@{server.address}", before=never)
    assert run.post("/v1/messages/count_tokens", {"model": "claude-haiku-4-5"}).status_code == 200
    assert run.post("/v1beta/models/g:countTokens?key=x", {}).status_code == 200
    assert run.calls == [] and [asked.path for asked in server.asked][1] == "/v1beta/models/g:countTokens"


class Listing(BaseHTTPRequestHandler):
    """A provider that lists its models."""

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = json.dumps({"path": self.path, "keys": sum("sk-real" in value for value in headers.values())}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


@pytest.mark.parametrize(
    ("path", "headers", "upstream"),
    [
        ("/v1/models", {}, "/v1/models"),
        ("/v1/models?limit=5&key=x", {"anthropic-version": "2023-06-01"}, "/v1/models?limit=5"),
        ("/v1beta/models?pageSize=2&fields=name", {}, "/v1beta/models?pageSize=2"),
    ],
)
def test_models_are_listed(path, headers, upstream, open_run):
    with ThreadingHTTPServer(("127.0.0.1", 0), Listing) as listing:
        threading.Thread(target=listing.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        root = f"http://127.0.0.1:{listing.server_address[1]}"
        run = open_run(f"openai:m@{root}/v1", f"anthropic:m@{root}", f"google:m@{root}")
        bearer = {"authorization": f"Bearer {run.gateway.token}"}
        answer = httpx2.get(run.gateway.root + path, headers={**bearer, **headers})
        listing.shutdown()
    assert answer.json() == {"path": upstream, "keys": 1} and run.calls == []


def test_the_variables_name_the_first_model_of_each_wire(open_run):
    run = open_run("anthropic:one", "anthropic:two", "openai-compatible:mine@http://127.0.0.1:1/v1")
    told = run.gateway.variables
    assert told["ANTHROPIC_MODEL"] == told["ANTHROPIC_DEFAULT_HAIKU_MODEL"] == "one"
    assert told["OPENAI_MODEL"] == "mine" and told["OPENAI_BASE_URL"] == f"{run.gateway.root}/v1"
    assert told["ANTHROPIC_API_KEY"] == told["OPENAI_API_KEY"] == run.gateway.token
    assert "GEMINI_API_KEY" not in told
    assert set(open_run().gateway.variables) >= {"OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"}
