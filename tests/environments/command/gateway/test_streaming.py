"""Streams through the gateway: passed on as they come, counted to their end, whoever hangs up."""

import json
import queue
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import httpx2
import pytest

from assay.models.testing import Garbage

CHAT = "/v1/chat/completions"
ASKED = {"model": "gpt-5", "messages": [{"role": "user", "content": "hi"}]}


class Paced:
    """A provider whose stream goes on when the test says so. Use it as a context manager."""

    def __init__(self) -> None:
        self.pieces: queue.Queue[bytes | None] = queue.Queue()
        """What to send next; None ends the stream."""
        paced = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream; charset=utf-8")
                self.send_header("Connection", "close")
                self.end_headers()
                while (piece := paced.pieces.get()) is not None:
                    self.wfile.write(piece)
                self.close_connection = True

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def say(self, **event: Any) -> None:
        self.pieces.put(f"data: {json.dumps(event)}\n\n".encode())

    def close(self) -> None:
        self.pieces.put(None)
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def paced() -> Iterator[Paced]:
    provider = Paced()
    yield provider
    provider.close()


def word(text: str) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text}}]}


COUNTS = {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}}


def test_a_stream_is_passed_on_as_it_comes_and_its_end_waits_for_the_books(open_run, paced):
    told = threading.Event()
    run = open_run(f"openai:gpt-5@{paced.url}", after=lambda call: told.set())
    headers = {"authorization": f"Bearer {run.gateway.token}"}
    with httpx2.stream("POST", run.gateway.root + CHAT, json={**ASKED, "stream": True}, headers=headers) as answer:
        lines = (line for line in answer.iter_lines() if line)
        paced.say(**word("one"))
        paced.say(**word("two"))
        assert "one" in next(lines), "before the stream has ended"
        for piece in (b"data: [DO", b"NE]\n\n"):
            paced.pieces.put(piece)
        assert "two" in next(lines)
        assert not told.is_set()
        paced.pieces.put(None)
        assert next(lines) == "data: [DONE]" and told.is_set()


def test_the_count_that_was_not_asked_for_is_not_shown(open_run, provider):
    stream = "".join(f"data: {json.dumps(event)}\n\n" for event in (word("hi"), COUNTS)) + "data: [DONE]\n\n"
    upstream = provider(lambda asked: Garbage(stream, "text/event-stream"))
    run = open_run(f"openai:gpt-5@{upstream.url}")
    plain = run.post(CHAT, {**ASKED, "stream": True, "stream_options": {"include_usage": False}})
    asked = run.post(CHAT, {**ASKED, "stream": True, "stream_options": {"include_usage": True}})
    assert "prompt_tokens" not in plain.text and "[DONE]" in plain.text and asked.text == stream
    assert all(request.body["stream_options"] == {"include_usage": True} for request in upstream.asked)
    assert [call.completion.usage.tokens for call in run.calls] == [11, 11]


def test_a_program_that_hangs_up_pays_for_the_whole_answer(open_run, paced):
    told: queue.Queue[Any] = queue.Queue()
    run = open_run(f"openai:gpt-5@{paced.url}", after=told.put)
    headers = {"authorization": f"Bearer {run.gateway.token}"}
    with httpx2.stream("POST", run.gateway.root + CHAT, json={**ASKED, "stream": True}, headers=headers) as answer:
        paced.say(**word("one"))
        paced.say(**word("two"))
        next(answer.iter_lines())
    for event in (word("three"), COUNTS):
        paced.say(**event)
    paced.pieces.put(None)
    call = told.get(timeout=30)
    assert call.completion.text == "onetwothree" and call.completion.usage.tokens == 11 and call.measured


def test_a_stream_that_breaks_off_breaks_off_for_the_program_too(open_run):
    """A provider that dies in the middle: it promised more than it sent."""
    body = f"data: {json.dumps(word('one'))}\n\n"
    with socket.create_server(("127.0.0.1", 0)) as dying:

        def die() -> None:
            connection, _ = dying.accept()
            with connection:
                connection.recv(1 << 16)
                head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 10000\r\n\r\n"
                connection.sendall((head + body).encode())

        threading.Thread(target=die, daemon=True).start()
        run = open_run(f"openai:gpt-5@http://127.0.0.1:{dying.getsockname()[1]}/v1")
        with pytest.raises(httpx2.RemoteProtocolError):
            run.post(CHAT, {**ASKED, "stream": True})
    (call,) = run.calls
    assert (call.completion.text, call.completion.stop, call.measured) == ("one", "broken", False)
