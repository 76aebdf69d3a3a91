"""The prompts of interactive agents and of the actions that ask a model."""

from pathlib import Path
from typing import Any

from assay.models.templates import render_from

_PROMPTS = Path(__file__).parent / "prompts"


def render(name: str, **context: Any) -> str:
    return render_from(_PROMPTS, name, **context)
