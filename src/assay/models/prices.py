"""What calls cost. Prices come from the maintained table of genai-prices; a price nobody knows is None, never 0."""

from functools import lru_cache
from typing import Any

from assay.models.base import ModelSettings
from assay.models.names import OFFLINE, parse_name
from assay.models.usage import Usage

CHARACTERS_PER_TOKEN = 2.0
"""For bounds alone: tokenizers make fewer tokens of code and English than one for every two characters."""


def price(model: str, usage: Usage, written: int = 0, written_for_an_hour: int = 0) -> float | None:
    """Dollars for one call, by today's prices; None if nobody knows them. Reasoning is part of the output.

    `written` is the part of the input that the provider put into its cache, which some charge for, and more where it
    stays for an hour. Some prices rise with the length of the prompt: the price of two calls is not that of their sum.
    """
    if model == OFFLINE:
        return 0.0
    from genai_prices import Usage as Priced

    name = parse_name(model)
    priced = Priced(
        input_tokens=usage.input_tokens,
        cache_read_tokens=min(usage.cached_tokens, usage.input_tokens),
        cache_write_tokens=written,
        cache_write_1h_tokens=written_for_an_hour,
        output_tokens=usage.output_tokens,
    )
    return None if name.provider == "openai-compatible" else _lookup(priced, name.model, name.provider)


def priced(model: str) -> bool:
    """Whether calls of this model have a known price. Where not, a cap in dollars cannot be kept."""
    return price(model, Usage(calls=1, input_tokens=1, output_tokens=1)) is not None


def worst_call(settings: ModelSettings, prompt_characters: int) -> Usage:
    """The most tokens that one call with a prompt of this length can use, nothing cached."""
    tokens = int(prompt_characters / CHARACTERS_PER_TOKEN) + 1
    return Usage(calls=1, input_tokens=tokens, output_tokens=settings.max_output_tokens)


def worst_conversation(
    settings: ModelSettings, prompt_characters: int, calls: int, characters: int
) -> tuple[Usage, ...]:
    """The most that a conversation of so many calls can use, call by call: each sends all that was said before it.

    `prompt_characters` is the length of the first prompt's text, tools included; `characters` the most that is said to
    the model between two calls.
    """
    first = worst_call(settings, prompt_characters)
    more = first.output_tokens + int(characters / CHARACTERS_PER_TOKEN)
    return tuple(first.model_copy(update={"input_tokens": first.input_tokens + n * more}) for n in range(calls))


def worst_case(model: str, calls: tuple[Usage, ...]) -> Usage:
    """The sum of calls, each at its price: what they can cost at most. `usd` is None if the price is not known."""
    total = Usage()
    for call in calls:
        total += call.model_copy(update={"usd": price(model, call)})
    return total


def _lookup(usage: Any, model: str, provider: str) -> float | None:
    from genai_prices import calc_price

    if not _known(model, provider):
        return None
    return float(calc_price(usage, model, provider_id=provider).total_price)


@lru_cache(maxsize=256)
def _known(model: str, provider: str) -> bool:
    from genai_prices import Usage, calc_price

    try:
        calc_price(Usage(input_tokens=1, output_tokens=1), model, provider_id=provider)
    except LookupError:
        return False
    return True
