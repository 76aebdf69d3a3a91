"""The embedder `graphcodebert`, as FML-bench uses it: first-token vectors summed over windows of 510 tokens."""

from pathlib import Path

from assay.embedding.chunks import ChunkEmbedder
from assay.embedding.transformer import fingerprint, hidden_size, loader
from assay.errors import AssayError, UsageError

HUB_NAME = "microsoft/graphcodebert-base"
WINDOW = 510
FILES = ["config.json", "model.safetensors", "pytorch_model.bin", "vocab.json", "merges.txt", "tokenizer*", "special_*"]


def open_graphcodebert(path: str | None, cache: Path) -> ChunkEmbedder:
    """From a local folder, or by a name on the hub. Raises UsageError or AssayError if it cannot be had."""
    folder = _folder(path or HUB_NAME)
    name = f"graphcodebert-{fingerprint(folder)}"
    load = loader(folder, WINDOW, "first", "graphcodebert")
    return ChunkEmbedder(name, hidden_size(folder), load, cache)


def _folder(path: str) -> Path:
    if Path(path).is_dir():
        return Path(path)
    if Path(path).is_absolute() or path.startswith("."):
        raise UsageError(f"{path} is no folder", "--embedder-path takes a local folder or a name on the hub")
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise AssayError(
            f"'{path}' must be fetched from the hub, which needs a package",
            "pip install 'assay-bench[graphcodebert]', or give a local folder with --embedder-path",
        ) from None
    try:
        return Path(snapshot_download(path, allow_patterns=FILES))
    except Exception as error:  # the hub client raises errors of many libraries
        reason = str(error).strip().splitlines()[0]
        raise AssayError(
            f"'{path}' could not be fetched from the hub: {reason}",
            "give a local folder with --embedder-path, or use the built-in: --embedder tokens",
        ) from None
