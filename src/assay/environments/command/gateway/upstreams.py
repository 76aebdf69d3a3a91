"""Who answers: the providers and servers that a program may reach through the gateway, each with the key it wants."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus

from assay.environments.command.gateway.wires import Family, Refusal
from assay.errors import UsageError
from assay.models.names import PROVIDERS, ModelName, ProviderName, address_of, key_of, parse_name

ANY = "*"
"""In place of a model's name, as in `anthropic:*`: all that the provider has."""

_FAMILY: Mapping[ProviderName, Family] = {
    "openai": "openai",
    "openai-compatible": "openai",
    "openrouter": "openai",
    "anthropic": "anthropic",
    "google": "google",
}
_ADDRESS: Mapping[ProviderName, str] = {
    "openai": "https://api.openai.com/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
}
_PASSED_ON = ("accept", "anthropic-version", "anthropic-beta", "openai-beta")
"""Headers of the program that a provider gets. Others could name another account, or tell where the program runs."""
_PASSED_BACK = ("content-type", "retry-after", "retry-after-ms", "request-id", "x-request-id", "x-should-retry")
"""Headers of the provider that the program gets. Others name the owner of the key."""


@dataclass(frozen=True)
class Upstream:
    """One model, or all, at one address."""

    provider: ProviderName
    model: str
    address: str

    @property
    def family(self) -> Family:
        return _FAMILY[self.provider]

    def recorded(self, model: str) -> str:
        """The name under which a call is recorded and priced."""
        return ModelName(self.provider, model).recorded


def find_upstreams(models: Sequence[str]) -> tuple[Upstream, ...]:
    """The upstreams of `provider:model` names; with none, of every provider that has a key in the environment.

    Raises UsageError, before any work, for a missing key or address, or if there is no upstream at all.
    """
    found = tuple(map(_upstream, models)) or tuple(_configured())
    if not found:
        raise UsageError(
            "there is no model that a program could reach",
            "name one with --model, or set the key of a provider, for example ANTHROPIC_API_KEY",
        )
    return found


def choose(upstreams: Sequence[Upstream], family: Family, model: str | None) -> Upstream:
    """Who answers for this model; for None, any of the family. Raises Refusal that names what there is."""
    own = [upstream for upstream in upstreams if upstream.family == family]
    for upstream in own:
        if model is None or upstream.model == model:
            return upstream
    for upstream in own:
        if upstream.model == ANY:
            return upstream
    served = ", ".join(upstream.recorded(upstream.model) for upstream in upstreams)
    asked = f"model '{str(model)[:100]}'" if model else "that"
    raise Refusal(HTTPStatus.NOT_FOUND, f"{asked} is not part of this run on {family}'s wire; the run has {served}")


def request_headers(upstream: Upstream, given: Mapping[str, str]) -> dict[str, str]:
    """What the provider gets: few of the program's headers, and the real key in place of the run's token."""
    headers = {name: given[name] for name in _PASSED_ON if name in given and given[name].isascii()}
    # what is compressed could not be read on its way
    headers |= {"content-type": "application/json", "accept-encoding": "identity", "user-agent": "assay"}
    key = key_of(upstream.provider)
    if key is None:
        return headers
    if upstream.family == "anthropic":
        return headers | {"x-api-key": key}
    if upstream.family == "google":
        return headers | {"x-goog-api-key": key}
    return headers | {"authorization": f"Bearer {key}"}


def response_headers(given: Mapping[str, str]) -> dict[str, str]:
    return {name: given[name] for name in _PASSED_BACK if name in given}


def variables(upstreams: Sequence[Upstream], root: str, token: str) -> dict[str, str]:
    """How programs are told where the gateway is, what to present there, and which model to ask for."""
    told: dict[str, str] = {}
    for upstream in reversed(upstreams):  # of several models of one family, the first is the one to ask for
        told |= _VARIABLES[upstream.family](root, token)
        if upstream.model != ANY:
            told |= dict.fromkeys(_MODEL_VARIABLES[upstream.family], upstream.model)
    return told


_VARIABLES = {
    "openai": lambda root, token: {
        "OPENAI_BASE_URL": f"{root}/v1",
        "OPENAI_API_BASE": f"{root}/v1",
        "OPENAI_API_KEY": token,
    },
    "anthropic": lambda root, token: {"ANTHROPIC_BASE_URL": root, "ANTHROPIC_API_KEY": token},
    "google": lambda root, token: {"GOOGLE_GEMINI_BASE_URL": root, "GEMINI_API_KEY": token},
}
_MODEL_VARIABLES: Mapping[Family, Sequence[str]] = {
    "openai": ("OPENAI_MODEL",),
    "anthropic": (
        "ANTHROPIC_MODEL",
        "ANTHROPIC_SMALL_FAST_MODEL",
        "ANTHROPIC_DEFAULT_HAIKU_MODEL",
        "ANTHROPIC_DEFAULT_SONNET_MODEL",
        "ANTHROPIC_DEFAULT_OPUS_MODEL",
    ),
    "google": ("GEMINI_MODEL",),
}


def _upstream(name: str) -> Upstream:
    parsed = parse_name(name)
    key_of(parsed.provider)
    return Upstream(parsed.provider, parsed.model, address_of(parsed) or _ADDRESS[parsed.provider])


def _configured() -> list[Upstream]:
    found = []
    for provider in PROVIDERS:
        try:
            found.append(_upstream(f"{provider}:{ANY}"))
        except UsageError:
            continue  # no key, or for a server of one's own no address: it is not there
    return found
