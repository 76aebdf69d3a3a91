"""One connection of a program to the gateway: checks, passes on, passes back, and never raises."""

import hmac
import json
import threading
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

from assay.environments.command.gateway.books import Books, OpenCall
from assay.environments.command.gateway.requests import asked_model, counts_shown, parse_body, passed_on
from assay.environments.command.gateway.streams import events, parsed, payload
from assay.environments.command.gateway.upstreams import Upstream, choose, request_headers, response_headers
from assay.environments.command.gateway.wires import Family, Refusal, Route, error_body, find_route, presented_token
from assay.models.names import redact

if TYPE_CHECKING:
    from httpx2 import Client, Request, Response

BODY_BYTES = 32 << 20
_PIECE = 1 << 16
_LENGTH_DIGITS = 12
_CLIENT_SECONDS = 120.0
"""How long a program may take to send or to read before it counts as gone."""


@dataclass(frozen=True)
class Desk:
    """What all connections of one gateway share."""

    upstreams: Sequence[Upstream]
    books: Books
    http: "Client"
    token: str
    hosted_tools: bool
    slots: threading.Semaphore


class Handler(BaseHTTPRequestHandler):
    """Answers the requests of one connection, one after the other, each whole or with an error."""

    protocol_version = "HTTP/1.1"
    timeout = _CLIENT_SECONDS
    disable_nagle_algorithm = True
    wbufsize = -1  # an event is sent when it is whole

    def __init__(self, desk: Desk, *connection: Any) -> None:
        self._desk = desk
        self._unread = 0
        """Bytes of the request's body that are still to come."""
        self._begun = False
        """Whether the answer has begun: then it can only break off, and not turn into another."""
        self._gone = False
        """Whether the program hung up."""
        super().__init__(*connection)

    def do_GET(self) -> None:
        self._answer()

    def do_POST(self) -> None:
        self._answer()

    def _answer(self) -> None:
        family: Family = "openai"
        headers = {name.lower(): value for name, value in self.headers.items()}
        self._begun = False
        try:
            self._measure(headers)
            route = find_route(self.command, self.path, headers)
            family = route.family
            if not hmac.compare_digest(presented_token(self.path, headers).encode(), self._desk.token.encode()):
                raise Refusal(HTTPStatus.UNAUTHORIZED, "the key is not the token of this run")
            with self._desk.slots:
                self._pass(route, headers)
        except Refusal as refusal:
            self._refuse(family, refusal)
        except OSError:
            self.close_connection = True  # the program is gone
        except Exception as error:
            # a request that nobody thought of: no program may end the run by it
            reason = f"this request cannot be served ({type(error).__name__})"
            self._refuse(family, Refusal(HTTPStatus.INTERNAL_SERVER_ERROR, reason))

    def _pass(self, route: Route, headers: Mapping[str, str]) -> None:
        body = parse_body(self._read()) if self.command == "POST" else None
        model = route.model or (asked_model(body) if body is not None else None)
        upstream = choose(self._desk.upstreams, route.family, model)
        if body is None or model is None or route.wire is None:
            self._exchange(self._outgoing(upstream, route, headers, "" if body is None else json.dumps(body)))
            return
        request = json.dumps(passed_on(route.wire, body, self._desk.hosted_tools))
        outgoing = self._outgoing(upstream, route, headers, request)
        call = self._desk.books.begin(route.wire, upstream.recorded(model), request)
        try:
            self._exchange(outgoing, call, hide_counts=route.wire == "chat" and not counts_shown(body))
        finally:
            # whatever happened: what was asked may have to be paid for
            self._desk.books.end(call, HTTPStatus.BAD_GATEWAY)

    def _outgoing(self, upstream: Upstream, route: Route, headers: Mapping[str, str], body: str) -> "Request":
        return self._desk.http.build_request(
            self.command,
            upstream.address + route.path,
            params=dict(route.query) or None,
            headers=request_headers(upstream, headers),
            content=body.encode() or None,
        )

    def _exchange(self, outgoing: "Request", call: OpenCall | None = None, hide_counts: bool = False) -> None:
        import httpx2

        try:
            response = self._desk.http.send(outgoing, stream=True)
            with closing(response):
                streamed = response.headers.get("content-type", "").lower().startswith("text/event-stream")
                if call and streamed and response.is_success:
                    self._relay(response, call, hide_counts)
                else:
                    self._hand_over(response, call)
        except httpx2.HTTPError as error:
            reason = redact(f"{outgoing.url.host} does not answer: {error or type(error).__name__}")
            if call and isinstance(error, httpx2.ConnectError | httpx2.ConnectTimeout):
                self._desk.books.end(call, HTTPStatus.BAD_GATEWAY, reason)
            raise Refusal(HTTPStatus.BAD_GATEWAY, reason) from None

    def _hand_over(self, response: "Response", call: OpenCall | None) -> None:
        """An answer in one piece."""
        data = _clean(response.read())
        if call and response.is_success:
            answer = parsed(data)
            call.payloads += answer if isinstance(answer, list) else [answer]
            self._desk.books.end(call, response.status_code)
        elif call:
            self._desk.books.end(call, response.status_code, data.decode(errors="replace"))
        self._send(response.status_code, response_headers(response.headers), data)

    def _relay(self, response: "Response", call: OpenCall, hide_counts: bool) -> None:
        """A stream, as it comes. Its last event waits until the books know of the call."""
        import httpx2

        self._head(response.status_code, {**response_headers(response.headers), "Transfer-Encoding": "chunked"})
        self._write(b"")
        held = b""
        try:
            for event in map(_clean, events(response.iter_bytes())):
                said = payload(event)
                call.payloads.append(said)
                if not (hide_counts and _only_counts(said)):
                    self._chunk(held)
                    held = event
        except httpx2.HTTPError:
            self.close_connection = True  # without the mark of an end: the program sees it break off, as it did
        self._desk.books.end(call, response.status_code)
        self._chunk(held)
        if not self.close_connection:
            self._write(b"0\r\n\r\n")

    def _refuse(self, family: Family, refusal: Refusal) -> None:
        if self._begun:
            self.close_connection = True
            return
        try:
            self._discard()
        except OSError:
            self.close_connection = True
        # clients would otherwise ask again and again
        headers = {"Content-Type": "application/json", "x-should-retry": "false"}
        self._send(refusal.status, headers, error_body(family, refusal.status, refusal.message))

    def _measure(self, headers: Mapping[str, str]) -> None:
        """How much is to be read. Raises Refusal for a body without length, packed, or too large."""
        length = headers.get("content-length", "0")[:_LENGTH_DIGITS]
        if "transfer-encoding" in headers or "content-encoding" in headers or not length.isdecimal():
            self.close_connection = True
            raise Refusal(HTTPStatus.LENGTH_REQUIRED, "send the body as it is, with its length")
        self._unread = min(int(length), 4 * BODY_BYTES)
        if int(length) > BODY_BYTES:
            self.close_connection = True
            raise Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"the body may have {BODY_BYTES >> 20} MB at most")

    def _read(self) -> bytes:
        data = self.rfile.read(self._unread)
        if len(data) < self._unread:
            raise ConnectionAbortedError
        self._unread = 0
        return data

    def _discard(self) -> None:
        """Read what came with a request that is refused: to hang up on it could lose the answer."""
        while self._unread and (piece := self.rfile.read(min(self._unread, _PIECE))):
            self._unread -= len(piece)

    def _send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self._head(status, {**headers, "Content-Length": str(len(body))})
        self._write(b"" if self.command == "HEAD" else body)

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self._begun = True
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def _chunk(self, data: bytes) -> None:
        if data:
            self._write(b"%x\r\n%b\r\n" % (len(data), data))

    def _write(self, data: bytes) -> None:
        """To the program, while it listens. An answer is read and counted to its end even if it does not."""
        if self._gone:
            return
        try:
            self.wfile.write(data)
            self.wfile.flush()
        except OSError:
            self._gone = self.close_connection = True

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """A request that is not HTTP, or of another method."""
        self.close_connection = True
        self._refuse("openai", Refusal(HTTPStatus(code), message or HTTPStatus(code).phrase))

    def version_string(self) -> str:
        return "assay"

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: calls are in the record."""


def _clean(data: bytes) -> bytes:
    """Without any key of this process: a server may repeat what it got."""
    return redact(data.decode(errors="surrogateescape")).encode(errors="surrogateescape")


def _only_counts(said: Any) -> bool:
    """The part of a chat's stream that is there because we asked for it: some clients do not expect it."""
    return isinstance(said, dict) and said.get("choices") == [] and bool(said.get("usage"))
