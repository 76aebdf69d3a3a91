"""The gateway: an HTTP server inside the harness, and the only part that sees both a program and the real keys.

A program has the run's token, which is good here and nowhere else.
"""

import secrets
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from http.server import ThreadingHTTPServer
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from assay.environments.command.gateway.books import Books, GatewayCall
from assay.environments.command.gateway.handler import Desk, Handler
from assay.environments.command.gateway.upstreams import find_upstreams, variables
from assay.errors import UsageError

if TYPE_CHECKING:
    from httpx2 import Client

PARALLEL_CALLS = 4
"""Calls that are under way at once; further ones wait. As many can go over a cap, for each was allowed before it."""
CONNECTIONS = 64
GRACE_SECONDS = 5.0
_CONNECT_SECONDS = 30.0
_SILENCE_SECONDS = 600.0
"""How long a provider may say nothing: some think that long."""


class Gateway:
    """Serves one run. Use it as a context manager, or `start` and `close` it.

    `before` is asked before each call that costs something, with the model's recorded name, and raises BudgetReached if
    a cap is hit, or an AssayError whose words the program is to see. `after` is told of each call before the program
    has the end of its answer. Both are called from threads of the server, never two at once, and hold `lock` meanwhile.
    """

    def __init__(
        self,
        models: Sequence[str],
        before: Callable[[str], None],
        after: Callable[[GatewayCall], None],
        *,
        lock: "threading.Lock | None" = None,
        listener: socket.socket | None = None,
        hosted_tools: bool = False,
    ) -> None:
        """`models` are the names `provider:model` that the program may ask for, `provider:*` for all of one; with none,
        all of every provider that has a key here. `listener` is where to serve, else a port of this machine's loopback.
        With `hosted_tools`, what a provider does itself, such as searching the web, is passed on too: its price beyond
        the tokens is not counted. Raises UsageError for a missing key, address or package.
        """
        self._upstreams = find_upstreams(models)
        self._books = Books(before, after, lock)
        self._http = _http_client()
        self.token = f"assay-{secrets.token_urlsafe(32)}"
        """What the program presents in place of a key."""
        listener = listener or socket.create_server(("127.0.0.1", 0))
        host, port = listener.getsockname()[:2]
        self.root = f"http://{host}:{port}"
        """Where the program finds it."""
        slots = threading.Semaphore(PARALLEL_CALLS)
        desk = Desk(self._upstreams, self._books, self._http, self.token, hosted_tools, slots)
        self._server = _Server(listener, partial(Handler, desk))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    @property
    def variables(self) -> dict[str, str]:
        """The environment that brings a program's model clients here."""
        return variables(self._upstreams, self.root, self.token)

    def start(self) -> Self:
        self._thread.start()
        return self

    def close(self, grace_seconds: float = GRACE_SECONDS) -> None:
        """End, after a moment for calls under way; what is not answered by then is told of as broken.

        `after` is not called any more once this returned. Raises what a callback raised, if one did.
        """
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
        self._server.server_close()
        self._books.close(grace_seconds)
        self._server.hang_up()
        self._http.close()
        if self._books.failure is not None:
            raise self._books.failure

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.close()
        except BaseException:
            if error is None:
                raise


class _Server(ThreadingHTTPServer):
    """On a socket that listens already. One thread a connection, and no more connections than a program can need."""

    def __init__(self, listener: socket.socket, handler: Callable[..., Handler]) -> None:
        super().__init__(listener.getsockname()[:2], handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self._connections: set[socket.socket] = set()

    def verify_request(self, request: Any, client_address: Any) -> bool:
        return len(self._connections) < CONNECTIONS

    def process_request(self, request: Any, client_address: Any) -> None:
        self._connections.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        self._connections.discard(request)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        """End the connections that are still open: their threads wait for words that will not come."""
        for connection in list(self._connections):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Nothing: a connection ends as its program likes, and what goes wrong here is kept in the books."""


def _http_client() -> "Client":
    try:
        import httpx2
    except ImportError:
        raise UsageError(
            "a program's model calls need a package that is not installed", "pip install 'assay-bench[models]'"
        ) from None
    return httpx2.Client(timeout=httpx2.Timeout(_SILENCE_SECONDS, connect=_CONNECT_SECONDS))
