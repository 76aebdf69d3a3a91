"""A scripted model behind a real HTTP server on loopback, for tests of agents and proposers, one's own included.

    with ScriptedServer([Say("hello"), Fail(429), Say("hello again")]) as server:
        client = open_client(server.model, ModelSettings())

The server speaks the wire formats of OpenAI (chat and responses), Anthropic and Google, so that every provider of
`assay.models` can be pointed at it with `provider:model@` and its address.
"""

import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from assay.models.scripted import Say as Say
from assay.models.scripted import answer, texts


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    number: int
    """Counted from 0, failed attempts included."""
    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Mapping[str, Any]

    @property
    def text(self) -> str:
        """All that was said to the model, whichever wire format it came in."""
        return "\n".join(texts(self.body))

    @property
    def last(self) -> str:
        """The last message alone."""
        turns: Any = next((self.body[key] for key in ("messages", "input", "contents") if self.body.get(key)), [])
        return "\n".join(texts(turns[-1] if isinstance(turns, list) and turns else turns))


@dataclass(frozen=True)
class Fail:
    """Answer with an HTTP error."""

    status: int
    message: str = "scripted failure"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class CutOff:
    """Close the connection in the middle of the answer."""


@dataclass(frozen=True)
class Silence:
    """Say nothing until the client gives up or the server is closed."""


@dataclass(frozen=True)
class Garbage:
    """Answer with a body that is not in the protocol."""

    body: str = "<html>gateway</html>"
    content_type: str = "text/html"


Reply = Say | Fail | CutOff | Silence | Garbage
Script = Iterable[Reply] | Callable[[Asked], Reply]


class ScriptedServer:
    """Answers from a script: replies in order, or a function of the request. Use it as a context manager.

    A script that has run out answers with status 500 and a message that says so.
    """

    def __init__(self, script: Script) -> None:
        self._replies: Iterator[Reply] | None = None if callable(script) else iter(script)
        self._answer = script if callable(script) else self._next
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self.asked: list[Asked] = []
        """Every request so far, in the order of arrival."""
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def address(self) -> str:
        """The server's root: what Anthropic's and Google's clients want."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def url(self) -> str:
        """The base URL that OpenAI's clients want."""
        return f"{self.address}/v1"

    @property
    def model(self) -> str:
        """The scripted model's full name for `open_client` and `--model`."""
        return f"openai-compatible:scripted@{self.url}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def reply(self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Reply:
        """The reply to one request. One at a time: a script need not be safe for threads."""
        with self._lock:
            asked = Asked(len(self.asked), path, headers, body)
            self.asked.append(asked)
            return self._answer(asked)

    def wait_for_end(self) -> None:
        self._closing.wait()

    def _next(self, asked: Asked) -> Reply:
        assert self._replies is not None
        return next(self._replies, Fail(500, f"the script has no reply number {asked.number}"))


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # one packet an answer: two would wait for each other

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            match server.reply(self.path, headers, body):
                case Say() as said:
                    self._send(200, json.dumps(answer(self.path, said)), {})
                case Fail(status, message, extra):
                    self._send(status, json.dumps({"error": {"message": message, "type": "scripted"}}), extra)
                case Garbage(text, content_type):
                    self._send(200, text, {"Content-Type": content_type})
                case CutOff():
                    self.send_response(200)
                    self.send_header("Content-Length", "1000")
                    self.end_headers()
                    self.wfile.write(b'{"choices": [')
                    self.close_connection = True
                case Silence():
                    server.wait_for_end()
                    self.close_connection = True

        def _send(self, status: int, body: str, headers: Mapping[str, str]) -> None:
            data = body.encode()
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: a test's output is the test's."""

    return Handler
