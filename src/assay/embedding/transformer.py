"""A transformer from a local folder as a chunk model. torch and transformers are imported when it is first loaded."""

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np

from assay.embedding.base import Vectors
from assay.embedding.chunks import Chunk, ChunkModel
from assay.errors import AssayError, UsageError

WEIGHTS = ("model.safetensors", "pytorch_model.bin")


class TransformerChunks:
    """Token windows of a fixed size between a start and an end mark."""

    def __init__(self, folder: Path, window: int, pooling: Literal["first", "mean"]) -> None:
        import torch
        from transformers import AutoModel, AutoTokenizer

        self._torch = torch
        # a code file is longer than one window on purpose: the warning about it would be wrong
        self._tokeniser: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True, model_max_length=10**9)
        self._model: Any = AutoModel.from_pretrained(folder, local_files_only=True).eval()
        self._window = window
        self._pooling = pooling

    def split(self, text: str) -> list[Chunk]:
        # lone surrogates, which a model can emit, are nothing a tokeniser knows
        readable = text.encode("utf-8", "replace").decode()
        ids = self._tokeniser(readable, add_special_tokens=False)["input_ids"]
        start, end = self._tokeniser.cls_token_id, self._tokeniser.sep_token_id
        return [(start, *ids[at : at + self._window], end) for at in range(0, len(ids), self._window)]

    def encode(self, chunks: Sequence[Chunk]) -> Vectors:
        torch = self._torch
        longest = max(len(chunk) for chunk in chunks)
        ids = torch.full((len(chunks), longest), self._tokeniser.pad_token_id or 0)
        mask = torch.zeros((len(chunks), longest), dtype=torch.long)
        for row, chunk in enumerate(chunks):
            ids[row, : len(chunk)] = torch.tensor(chunk)
            mask[row, : len(chunk)] = 1
        with torch.inference_mode():
            hidden = self._model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
        if self._pooling == "first":
            found = hidden[:, 0]
        else:
            weights = mask[..., None].float()
            found = torch.nn.functional.normalize((hidden * weights).sum(1) / weights.sum(1), dim=1)
        rows: Vectors = found.numpy().astype(np.float32)
        return rows


def loader(folder: Path, window: int, pooling: Literal["first", "mean"], extra: str) -> Callable[[], ChunkModel]:
    """A function that loads the model. What it calls raises AssayError if a package or a file is missing."""

    def load() -> ChunkModel:
        try:
            return TransformerChunks(folder, window, pooling)
        except ImportError as error:
            raise AssayError(
                f"code that was not embedded before needs a package: {error}", f"pip install 'assay-bench[{extra}]'"
            ) from None
        except (OSError, ValueError) as error:
            reason = str(error).strip().splitlines()[0]
            raise AssayError(f"{folder} holds no model that can be loaded: {reason}", "get it anew") from None

    return load


def hidden_size(folder: Path) -> int:
    """Dimensions of the model's vectors, read from its description. Raises UsageError if the folder holds none."""
    try:
        return int(json.loads((folder / "config.json").read_text())["hidden_size"])
    except (OSError, ValueError, KeyError, TypeError):
        raise UsageError(f"{folder} is no model: its config.json is missing or names no hidden_size") from None


def fingerprint(folder: Path) -> str:
    """Changes with the weights, so that vectors of two models are never taken for those of one."""
    found = next((folder / name for name in WEIGHTS if (folder / name).is_file()), None)
    if found is None:
        raise UsageError(f"{folder} holds no weights", f"one of these is needed: {', '.join(WEIGHTS)}")
    with found.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]
