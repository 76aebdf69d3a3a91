"""What the gateway refuses, what it never gives away, and that it counts whatever happens to a call."""

import json
import socket
import threading
from pathlib import Path
from typing import Any

import httpx2
import pytest

from assay.environments.command.gateway import handler, server
from assay.environments.command.gateway.server import Gateway
from assay.errors import UsageError
from assay.models.testing import CutOff, Fail, Garbage, Say, Silence
from assay.runs.budget import BudgetReached

SECRET = "sk-real-and-never-to-be-seen-"
CHAT = "/v1/chat/completions"
ASKED = {"model": "gpt-5", "messages": [{"role": "user", "content": "hi"}]}


@pytest.mark.parametrize("token", ["", "assay-of-another-run", f"{SECRET}openai"])
def test_without_the_token_of_the_run_nothing_is_passed_on(open_run, provider, token):
    upstream = provider([Say("no")])
    run = open_run(f"openai:gpt-5@{upstream.url}")
    answer = run.post(CHAT, ASKED, token=token)
    assert answer.status_code == 401 and "token" in answer.json()["error"]["message"]
    assert upstream.asked == run.calls == []


def test_the_token_is_found_where_each_client_puts_it(open_run, provider):
    upstream = provider(lambda asked: Say("yes"))
    run = open_run(f"google:g@{upstream.address}")
    path, token = "/v1beta/models/g:generateContent", run.gateway.token
    for place, headers in (
        (path, {"x-goog-api-key": token}),
        (path, {"x-api-key": token}),
        (f"{path}?key={token}", {}),
    ):
        assert httpx2.post(run.gateway.root + place, json={}, headers=headers).status_code == 200
    assert all(token not in str(asked) for asked in upstream.asked)


def test_no_key_and_nothing_of_its_owner_comes_back(open_run, provider):
    """Not in an answer, not in an error, not in a stream, not in a header, not in the record."""
    echo = {"x-request-id": "r1", "openai-organization": "the-owner", "set-cookie": f"k={SECRET}openai"}
    upstream = provider(
        [
            Fail(401, f"Incorrect API key provided: {SECRET}openai", echo),
            Say(f"your key is {SECRET}openai"),
            Garbage(
                f"data: {json.dumps({'choices': [{'delta': {'content': SECRET + 'openai'}}]})}\n\n", "text/event-stream"
            ),
        ]
    )
    run = open_run(f"openai:gpt-5@{upstream.url}")
    answers = [run.post(CHAT, ASKED, **{"openai-organization": "mine", "cookie": "c"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [401, 200, 200]
    shown = str([(answer.text, answer.headers) for answer in answers]) + str(run.calls)
    assert SECRET not in shown and "the-owner" not in shown and shown.count("[OPENAI_API_KEY]") == 6
    assert answers[0].headers["x-request-id"] == "r1"
    assert all(asked.headers["authorization"] == f"Bearer {SECRET}openai" for asked in upstream.asked)
    assert not {"openai-organization", "cookie"} & set(upstream.asked[0].headers)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/v1/embeddings"),
        ("POST", "/v1/messages/batches"),
        ("GET", "/v1/responses/resp_1"),
        ("POST", "/v1/../v1/chat/completions"),
        ("POST", "/v1beta/cachedContents"),
        ("POST", "/v1beta/models/..%2Fx:generateContent"),
        ("GET", "/"),
    ],
)
def test_what_is_not_served_is_said_with_what_is(open_run, provider, method, path):
    upstream = provider([Say("no")])
    run = open_run(f"openai:gpt-5@{upstream.url}", f"google:g@{upstream.address}")
    with socket.create_connection(("127.0.0.1", int(run.gateway.root.rpartition(":")[2]))) as raw:
        head = f"{method} {path} HTTP/1.1\r\nAuthorization: Bearer {run.gateway.token}\r\nConnection: close\r\n\r\n"
        raw.sendall(head.encode())
        answer = raw.makefile("rb").read().decode()
    assert (
        answer.startswith("HTTP/1.1 404 ")
        and "/v1/chat/completions" in json.loads(answer.partition("\r\n\r\n")[2])["error"]["message"]
    )
    assert upstream.asked == []


def test_a_model_that_is_not_part_of_the_run_is_refused(open_run, provider):
    upstream = provider(lambda asked: Say("yes"))
    run = open_run(f"openai:gpt-5@{upstream.url}", f"openai-compatible:*@{upstream.url}")
    other = open_run(f"anthropic:claude-haiku-4-5@{upstream.address}")
    assert run.post(CHAT, ASKED).status_code == run.post(CHAT, {"model": "whatever"}).status_code == 200
    assert [call.model for call in run.calls] == ["openai:gpt-5", "openai-compatible:whatever"]
    assert [call.completion.usage.usd is None for call in run.calls] == [False, True]
    assert "authorization" in upstream.asked[0].headers
    refused = other.post("/v1/messages", {"model": "claude-opus-4-5"})
    assert refused.status_code == 404 and refused.json()["type"] == "error"
    assert "anthropic:claude-haiku-4-5" in refused.json()["error"]["message"]
    assert other.post(CHAT, ASKED).status_code == 404


def test_a_cap_is_said_in_the_words_of_each_provider(open_run, provider):
    def used_up(model: str) -> None:
        raise BudgetReached("usd")

    upstream = provider([Say("no")])
    run = open_run(
        f"openai:m@{upstream.url}", f"anthropic:m@{upstream.address}", f"google:m@{upstream.address}", before=used_up
    )
    answers = [run.post(path, {"model": "m"}) for path in (CHAT, "/v1/responses", "/v1/messages")]
    answers.append(run.post("/v1beta/models/m:streamGenerateContent?alt=sse", {}))
    for answer in answers:
        assert answer.status_code == 402 and "budget of this run is used up (usd)" in answer.json()["error"]["message"]
        assert answer.headers["x-should-retry"] == "false"
    assert answers[2].json()["type"] == "error" and answers[3].json()["error"]["code"] == 402
    assert upstream.asked == run.calls == []


def test_a_cap_holds_between_calls(open_run, provider):
    spent: list[int] = []

    def before(model: str) -> None:
        assert model == "openai:gpt-5"
        if sum(spent) >= 250:
            raise BudgetReached("tokens")

    upstream = provider(lambda asked: Say("yes", input_tokens=90, output_tokens=10))
    run = open_run(
        f"openai:gpt-5@{upstream.url}", before=before, after=lambda call: spent.append(call.completion.usage.tokens)
    )
    assert [run.post(CHAT, ASKED).status_code for _ in range(5)] == [200, 200, 200, 402, 402]
    assert len(upstream.asked) == 3 and spent == [100, 100, 100]


def test_who_is_asked_may_refuse_a_model_with_a_reason(open_run, provider):
    def unpriced(model: str) -> None:
        raise UsageError(f"the price of {model} is not known", "a cap in dollars cannot be kept")

    run = open_run(f"openai:new@{provider([]).url}", before=unpriced)
    answer = run.post(CHAT, {"model": "new"})
    assert answer.status_code == 403 and "openai:new is not known; a cap" in answer.json()["error"]["message"]


def test_a_failure_of_the_provider_is_passed_on_and_costs_nothing(open_run, provider):
    run = open_run(f"openai:gpt-5@{provider([Fail(429, 'slow down', {'retry-after': '7'})]).url}")
    answer = run.post(CHAT, ASKED)
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "7")
    assert answer.json()["error"]["message"] == "slow down"
    (call,) = run.calls
    assert (call.status, call.completion.stop, call.completion.usage.tokens) == (429, "error", 0)
    assert call.completion.usage.usd == 0 and "slow down" in call.completion.text


def test_a_provider_that_is_not_there(open_run):
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    run = open_run(f"anthropic:claude-haiku-4-5@http://127.0.0.1:{port}")
    answer = run.post("/v1/messages", {"model": "claude-haiku-4-5"})
    assert answer.status_code == 502 and "does not answer" in answer.json()["error"]["message"]
    assert (run.calls[0].status, run.calls[0].completion.usage.tokens) == (502, 0)


@pytest.mark.parametrize("reply", [CutOff(), Garbage()], ids=["cut off", "garbage"])
def test_an_answer_that_tells_no_counts_is_counted_by_its_length(open_run, provider, reply):
    run = open_run(f"openai:gpt-5@{provider([reply]).url}")
    answer = run.post(CHAT, ASKED)
    assert answer.status_code == (502 if isinstance(reply, CutOff) else 200)
    (call,) = run.calls
    assert not call.measured and call.completion.stop == "broken"
    assert call.completion.usage.input_tokens >= len(call.request) / 2 and call.completion.usage.usd


def test_what_is_under_way_at_the_end_is_in_the_books(provider):
    upstream = provider([Silence()])
    calls: list[Any] = []
    arrived = threading.Event()
    gateway = Gateway([f"openai:gpt-5@{upstream.url}"], lambda model: arrived.set(), calls.append).start()
    headers = {"authorization": f"Bearer {gateway.token}"}
    gave_up: list[Exception] = []

    def ask() -> None:
        try:
            httpx2.post(gateway.root + CHAT, json=ASKED, headers=headers, timeout=30)
        except httpx2.HTTPError as error:
            gave_up.append(error)

    program = threading.Thread(target=ask)
    program.start()
    assert arrived.wait(30)
    gateway.close(grace_seconds=0)
    program.join(30)
    assert len(gave_up) == 1 and len(calls) == 1
    assert calls[0].completion.stop == "broken" and calls[0].completion.usage.usd


def test_no_more_calls_at_once_than_may_go_over_a_cap(open_run, provider):
    """Twelve at once: each allowed call has told what it used before the fifth after it is allowed."""
    events: list[str] = []
    upstream = provider(lambda asked: Say("yes"))
    run = open_run(
        f"openai:gpt-5@{upstream.url}",
        before=lambda model: events.append("before"),
        after=lambda call: events.append("after"),
    )
    programs = [threading.Thread(target=run.post, args=(CHAT, ASKED)) for _ in range(12)]
    for program in programs:
        program.start()
    for program in programs:
        program.join(30)
    open_calls = [events[:n].count("before") - events[:n].count("after") for n in range(len(events) + 1)]
    assert events.count("after") == 12 and max(open_calls) <= server.PARALLEL_CALLS


def test_a_failing_record_stops_the_gateway_and_is_raised_at_its_end(provider):
    def full(call: Any) -> None:
        raise OSError("no space left on device")

    upstream = provider(lambda asked: Say("yes"))
    gateway = Gateway([f"openai:gpt-5@{upstream.url}"], lambda model: None, full).start()
    headers = {"authorization": f"Bearer {gateway.token}"}
    answers = [httpx2.post(gateway.root + CHAT, json=ASKED, headers=headers) for _ in range(2)]
    assert answers[1].status_code == 503 and len(upstream.asked) == 1
    with pytest.raises(OSError, match="no space"):
        gateway.close()


@pytest.mark.parametrize(
    ("body", "status"),
    [(b"{", 400), (b"[1]", 400), (b'{"model": 7}', 400), (b"[" * 100_000, 400), (b'"\xff"', 400), (b"", 400)],
)
def test_bodies_that_are_no_requests(open_run, provider, body, status):
    run = open_run(f"openai:gpt-5@{provider([]).url}")
    answer = run.post(CHAT, body)
    assert answer.status_code == status and answer.json()["error"]["message"]
    assert run.post(CHAT, ASKED).status_code == 500, "the next one is passed on, to a script that has ended"


def test_large_bodies_go_through_and_too_large_ones_are_refused(open_run, provider, monkeypatch):
    upstream = provider(lambda asked: Say(str(len(asked.last))))
    run = open_run(f"openai:gpt-5@{upstream.url}")
    long = {**ASKED, "messages": [{"role": "user", "content": "x" * (8 << 20)}]}
    assert run.post(CHAT, long).json()["choices"][0]["message"]["content"] == str(8 << 20)
    monkeypatch.setattr(handler, "BODY_BYTES", 4 << 20)
    refused = run.post(CHAT, long)
    assert refused.status_code == 413 and "4 MB" in refused.json()["error"]["message"]
    packed = run.post(CHAT, ASKED, **{"content-encoding": "zstd"})
    assert packed.status_code == 411


def test_half_a_request_does_no_harm(open_run, provider):
    run = open_run(f"openai:gpt-5@{provider([Say('yes')]).url}")
    address = ("127.0.0.1", int(run.gateway.root.rpartition(":")[2]))
    head = f"POST {CHAT} HTTP/1.1\r\nAuthorization: Bearer {run.gateway.token}\r\nContent-Length: 100\r\n\r\n"
    for rubbish in (
        b"",
        b"\x16\x03\x01\x00",
        head.encode() + b"{",
        b"GET / HTTP/9.9\r\n\r\n",
        b"BREW /pot HTTP/1.1\r\n\r\n",
    ):
        with socket.create_connection(address) as raw:
            raw.sendall(rubbish)
    assert run.post(CHAT, ASKED).status_code == 200 and len(run.calls) == 1


@pytest.mark.parametrize(
    ("line", "header", "status"),
    [
        (f"POST {CHAT}", "Content-Length: " + "9" * 5000, 413),
        (f"POST {CHAT}", "Content-Length: -1", 411),
        (f"POST {CHAT}", "Transfer-Encoding: chunked", 411),
        ("GET http://[", "Accept: x", 400),
        ("GET /v1/models", "Accept: \xe4", 502),
        ("PUT /v1/models", "Accept: x", 501),
    ],
)
def test_strange_requests_are_answered_and_end_nothing(open_run, line, header, status):
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    run = open_run(f"openai:gpt-5@http://127.0.0.1:{port}/v1")
    request = f"{line} HTTP/1.1\r\nAuthorization: Bearer {run.gateway.token}\r\n{header}\r\nConnection: close\r\n\r\n"
    with socket.create_connection(("127.0.0.1", int(run.gateway.root.rpartition(":")[2]))) as raw:
        raw.sendall(request.encode("latin-1"))
        raw.shutdown(socket.SHUT_WR)
        answer = raw.makefile("rb").read().decode()
    assert answer.startswith(f"HTTP/1.1 {status} ") and json.loads(answer.partition("\r\n\r\n")[2])["error"]["message"]
    assert run.post(CHAT, ASKED).status_code == 502, "and the next is passed on, to nobody"


def test_it_serves_on_a_socket_that_it_is_given(provider):
    listener = socket.create_server(("127.0.0.1", 0))
    with Gateway([f"openai:m@{provider([]).url}"], lambda model: None, lambda call: None, listener=listener) as gateway:
        assert gateway.root == f"http://127.0.0.1:{listener.getsockname()[1]}"
        assert httpx2.get(f"{gateway.root}/nothing").status_code == 404


def test_nothing_to_reach_is_said_before_any_work(monkeypatch):
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.delenv(variable)
    with pytest.raises(UsageError, match="no model that a program could reach"):
        Gateway((), lambda model: None, lambda call: None)
    with pytest.raises(UsageError, match="anthropic needs a key"):
        Gateway(("anthropic:claude-haiku-4-5",), lambda model: None, lambda call: None)


def test_heavy_libraries_are_imported_late():
    import subprocess
    import sys

    code = (
        "import sys, assay.environments.command.gateway.server\n"
        "print({'httpx2', 'openai', 'anthropic', 'genai_prices', 'pydantic_ai'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.cwd())
    assert done.stdout.strip() == "set()"
