"""How a model is named on the command line, and what must be in place before it can be asked."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args
from urllib.parse import urlsplit

from assay.errors import UsageError, unknown

OFFLINE = "offline"
"""The embedded default: no model at all."""

ProviderName = Literal["openai", "anthropic", "google", "openrouter", "openai-compatible"]
PROVIDERS: tuple[ProviderName, ...] = get_args(ProviderName)

KEY_VARIABLES: Mapping[ProviderName, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    "openrouter": ("OPENROUTER_API_KEY",),
    "openai-compatible": ("OPENAI_COMPATIBLE_API_KEY",),
}
"""Where each provider's key is looked for, in order. The last one is optional: most servers of one's own need none."""

ADDRESS_VARIABLE = "OPENAI_COMPATIBLE_BASE_URL"
"""Where `openai-compatible:MODEL` without an address of its own finds the server."""


@dataclass(frozen=True)
class ModelName:
    """`provider:model`, with `@URL` at its end where the provider is to be reached at another address."""

    provider: ProviderName
    model: str
    base_url: str | None = None

    @property
    def recorded(self) -> str:
        """The name in records and for prices: without the address, which decides nothing about the answer."""
        return f"{self.provider}:{self.model}"


def parse_name(name: str) -> ModelName:
    """Raises UsageError that says what a name looks like. Looks at no environment variable."""
    provider, colon, rest = name.partition(":")
    if not colon or not rest:
        raise UsageError(
            f"'{name}' is not the name of a model",
            "write provider:model, for example openai:gpt-5.4, or 'offline' for none\n"
            f"providers: {', '.join(PROVIDERS)}",
        )
    if provider not in PROVIDERS:
        raise unknown("model provider", provider, PROVIDERS, ", ".join(PROVIDERS))
    # only an address can follow this '@': some providers have it inside the names of their models
    model, at, address = rest.rpartition("@http")
    if not at:
        return ModelName(provider, rest)
    return ModelName(provider, model, _checked_address(f"http{address}", name))


def check_model(name: str) -> None:
    """Raise UsageError, before any work, if this model cannot be asked: unknown provider, no key, no address."""
    if name != OFFLINE:
        parsed = parse_name(name)
        address_of(parsed)
        key_of(parsed.provider)


def key_of(provider: ProviderName) -> str | None:
    """The provider's key from the environment. Raises UsageError with the variable's name if it must be there."""
    variables = KEY_VARIABLES[provider]
    key = next((value for variable in variables if (value := os.environ.get(variable, "").strip())), None)
    if key is None and provider != "openai-compatible":
        raise UsageError(f"{provider} needs a key", f"set the environment variable {' or '.join(variables)}")
    return key


def address_of(name: ModelName) -> str | None:
    """Where the model is reached; None for the provider's own address. Raises UsageError if nobody said."""
    if name.base_url or name.provider != "openai-compatible":
        return name.base_url
    address = os.environ.get(ADDRESS_VARIABLE, "").strip()
    if not address:
        raise UsageError(
            f"nobody said where the server of '{name.recorded}' is",
            f"write {name.recorded}@http://127.0.0.1:8080/v1 or set the environment variable {ADDRESS_VARIABLE}",
        )
    return _checked_address(address, ADDRESS_VARIABLE)


def redact(text: str) -> str:
    """The text without any key of this process: an error's words may come from a server that repeats what it got."""
    for variables in KEY_VARIABLES.values():
        for variable in variables:
            if key := os.environ.get(variable, "").strip():
                text = text.replace(key, f"[{variable}]")
    return text


def _checked_address(address: str, where: str) -> str:
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.password:
        raise UsageError(
            f"'{redact(address)}' in {redact(where)} is not the address of a server",
            "write http://HOST:PORT/v1 without user name or password; a key goes into the environment",
        )
    return address.rstrip("/")
