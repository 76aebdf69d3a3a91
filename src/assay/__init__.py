"""Assay measures machine-learning research agents."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """`assay.load`, see assay.results, without making `import assay` pay for it."""
    if name == "load":
        return import_module("assay.results").load
    raise AttributeError(f"module 'assay' has no attribute '{name}'")
