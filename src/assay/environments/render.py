"""The prompts of interactive agents and of the actions that ask a model."""

from pathlib import Path
from typing import Any

from assay.models.templates import render_from

_PROMPTS = Path(__file__).parent / "prompts"


def render(name: str, **context: Any) -> str:
    """A prompt. What an agent said may hold half characters, which no request can: they become question marks."""
    return render_from(_PROMPTS, name, **context).encode("utf-8", "replace").decode()
