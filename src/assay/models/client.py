"""Asking a real model over pydantic-ai, which is imported only here and in `wire`, and only when a model is opened."""

import asyncio
import threading
import warnings
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from assay.errors import AssayError, UsageError
from assay.models.base import Client, Completion, ModelSettings, ModelUnavailable, Prompt
from assay.models.names import KEY_VARIABLES, ModelName, address_of, key_of, parse_name, redact
from assay.models.names import check_model as check_model
from assay.models.prices import price
from assay.models.retry import RetryPolicy, Transient
from assay.models.usage import Usage

if TYPE_CHECKING:
    from pydantic_ai.models import Model
    from pydantic_ai.providers import Provider

T = TypeVar("T")

REASON_CHARACTERS = 300
"""How much of a server's own words goes into an error."""


def open_client(name: str, settings: ModelSettings, retry: RetryPolicy | None = None) -> Client:
    """The client of a `provider:model`. Contacts nobody yet.

    Raises UsageError for an unknown provider, a missing key or address, or a package that is not installed.
    """
    parsed = parse_name(name)
    try:
        model = _build(parsed)
    except ImportError as error:
        raise UsageError(
            f"'{name}' needs a package that is not installed: {error.name or error}",
            "pip install 'assay-bench[models]'",
        ) from None
    return _RemoteClient(parsed, model, settings, retry or RetryPolicy())


class _RemoteClient:
    """One model behind an API. Safe to share between threads: all requests run on one event loop of its own."""

    def __init__(self, name: ModelName, model: "Model", settings: ModelSettings, retry: RetryPolicy) -> None:
        self.settings = settings
        self._name = name
        self._model = model
        self._retry = retry
        self._loop = _LoopThread()

    @property
    def model(self) -> str:
        return self._name.recorded

    def complete(self, prompt: Prompt) -> Completion:
        return self._retry.run(lambda: self._attempt(prompt), what=self.model)

    def _attempt(self, prompt: Prompt) -> Completion:
        from pydantic_ai.direct import model_request
        from pydantic_ai.exceptions import ContentFilterError, ModelContextWindowExceededError

        from assay.models.wire import to_completion, to_messages, to_parameters, to_settings

        request = model_request(
            self._model,
            to_messages(prompt, self._model.system),
            model_settings=to_settings(self.settings, self._name.provider),
            model_request_parameters=to_parameters(prompt),
        )
        try:
            with warnings.catch_warnings():
                # pydantic-ai warns about settings that a model does not have and prices it does not know: both are in
                # the documentation, and a warning for each call would drown what matters
                warnings.simplefilter("ignore")
                response = self._loop.run(request)
        except ContentFilterError:
            return Completion(text="", stop="refused", usage=Usage(calls=1))
        except ModelContextWindowExceededError:
            return Completion(text="", stop="too_long", usage=Usage(calls=1))
        except Exception as error:
            _raise_named(error, self._name)
        completion = to_completion(response, prompt)
        # a server that counts nothing has told nothing about the price either
        usd = None if response.usage.unmeasured_requests else price(self.model, completion.usage)
        return completion.model_copy(update={"usage": completion.usage.model_copy(update={"usd": usd})})


class _LoopThread:
    """An event loop in a thread of its own: connections stay open between calls, whichever thread makes them.

    Started at the first call, so that a client opened before a fork works after it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None

    def run(self, request: Coroutine[Any, Any, T]) -> T:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(target=self._loop.run_forever, name="assay-model", daemon=True).start()
        future = asyncio.run_coroutine_threadsafe(request, self._loop)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise


def _build(name: ModelName) -> "Model":
    from pydantic_ai.models import infer_model
    from pydantic_ai.models.openai import OpenAIChatModel

    if name.provider == "openai-compatible":
        return OpenAIChatModel(name.model, provider=_provider(name))
    return infer_model(name.recorded, provider_factory=lambda _: _provider(name))


def _provider(name: ModelName) -> "Provider[Any]":
    """The provider with its key and address given outright, so that nothing else is read from the environment."""
    key, address = key_of(name.provider), address_of(name)
    match name.provider:
        case "openai":
            from pydantic_ai.providers.openai import OpenAIProvider

            return OpenAIProvider(api_key=key, base_url=address or "https://api.openai.com/v1")
        case "anthropic":
            from pydantic_ai.providers.anthropic import AnthropicProvider

            return AnthropicProvider(api_key=key, base_url=address or "https://api.anthropic.com")
        case "google":
            from pydantic_ai.providers.google import GoogleProvider

            return GoogleProvider(api_key=key, base_url=address)
        case "openrouter":
            from openai import AsyncOpenAI
            from pydantic_ai.providers.openrouter import OpenRouterProvider

            return OpenRouterProvider(
                openai_client=AsyncOpenAI(api_key=key, base_url=address or "https://openrouter.ai/api/v1")
            )
        case "openai-compatible":
            from pydantic_ai.profiles.openai import OpenAIModelProfile
            from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

            assert address is not None
            # the older name of the output limit is the one that every such server knows
            profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=False)
            return OpenAICompatibleProvider(name.provider, base_url=address, api_key=key, profile=profile)


def _raise_named(error: Exception, name: ModelName) -> NoReturn:
    """One of ours for one of pydantic-ai's: what may pass is Transient, what the user can cure says how."""
    from pydantic_ai import exceptions as theirs

    reason = _short(error)
    if isinstance(error, AssayError):
        raise error
    if isinstance(error, theirs.ModelAuthenticationError):
        variables = " or ".join(KEY_VARIABLES[name.provider])
        raise UsageError(f"{name.recorded}: the key was not accepted: {reason}", f"check {variables}") from None
    if isinstance(error, theirs.ModelNotFoundError):
        raise UsageError(f"{name.recorded}: not found: {reason}", "check the model's name and the address") from None
    if isinstance(error, theirs.ModelQuotaExceededError):
        raise ModelUnavailable(
            f"{name.recorded}: the account's quota is used up: {reason}",
            "top up the account; the same command continues the run",
        ) from None
    if isinstance(error, theirs.ModelRequestRejectedError | theirs.UserError):
        raise UsageError(
            f"{name.recorded}: the request was rejected: {reason}",
            "a setting (reasoning, temperature, output limit) may not fit this model",
        ) from None
    # whatever else happens between here and the model is the line's or the server's fault and may pass: rate limits,
    # server errors, broken connections, time-outs, and answers that are not in the protocol
    raise Transient(reason, getattr(error, "retry_after", None)) from error


def _short(error: Exception) -> str:
    """What the server or the connection said, without keys, in one line of bounded length."""
    from pydantic_ai.exceptions import ModelHTTPError

    if isinstance(error, ModelHTTPError):
        said = error.body.get("message", error.body) if isinstance(error.body, dict) else error.body
        text = f"HTTP {error.status_code}: {said}"
    else:
        # a connection error says the useful part in its first cause: refused, reset, no such host
        first: BaseException = error
        while first.__cause__ or first.__context__:
            first = first.__cause__ or first.__context__ or first
        text = ": ".join(dict.fromkeys(filter(None, (str(error) or type(error).__name__, str(first)))))
    line = " ".join(redact(text).split())
    return line if len(line) <= REASON_CHARACTERS else line[:REASON_CHARACTERS] + "…"
