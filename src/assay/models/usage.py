"""What was spent on models."""

from assay.base import Frozen


class Usage(Frozen):
    """What was spent on models. `usd` is None as soon as one call had no known price."""

    calls: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    """Part of `input_tokens` that the provider had in its cache."""
    output_tokens: int = 0
    reasoning_tokens: int = 0
    """Part of `output_tokens` that was thought and not said."""
    usd: float | None = 0.0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            usd=None if self.usd is None or other.usd is None else self.usd + other.usd,
        )
