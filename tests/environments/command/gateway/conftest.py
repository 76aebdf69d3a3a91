"""A gateway in front of a scripted provider, both on real loopback HTTP, with keys that must never be seen."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import httpx2
import pytest

from assay.environments.command.gateway.books import GatewayCall
from assay.environments.command.gateway.server import Gateway
from assay.models.names import KEY_VARIABLES
from assay.models.testing import ScriptedServer

SECRET = "sk-real-and-never-to-be-seen-"


class Run:
    """A gateway with its program's side and its books, for one test."""

    def __init__(self, gateway: Gateway, calls: list[GatewayCall]) -> None:
        self.gateway = gateway
        self.calls = calls
        """What `after` was told."""

    def post(self, path: str, body: Any, token: str | None = None, **headers: str) -> httpx2.Response:
        """As a program without any library of a provider would ask."""
        presented = self.gateway.token if token is None else token
        bearer = {"authorization": f"Bearer {presented}"} if presented else {}
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return httpx2.post(self.gateway.root + path, content=content, headers={**bearer, **headers}, timeout=30)


Open = Callable[..., Run]


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider, variables in KEY_VARIABLES.items():
        monkeypatch.setenv(variables[0], SECRET + provider)
    monkeypatch.delenv("GEMINI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_COMPATIBLE_BASE_URL", raising=False)


@pytest.fixture
def open_run() -> Iterator[Open]:
    """Opens gateways; `before` and further options as the gateway takes them."""
    with ExitStack() as stack:

        def opened(*models: str, before: Callable[[str], None] = lambda model: None, **options: Any) -> Run:
            calls: list[GatewayCall] = []
            gateway = Gateway(models, before, options.pop("after", calls.append), **options)
            return Run(stack.enter_context(gateway), calls)

        yield opened


@pytest.fixture
def provider() -> Iterator[Callable[..., ScriptedServer]]:
    """Starts scripted providers."""
    with ExitStack() as stack:
        yield lambda script: stack.enter_context(ScriptedServer(script))
