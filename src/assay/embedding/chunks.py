"""Embedders that see a text in chunks: a long text is the sum of its chunks, each embedded once and remembered."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from assay.embedding.base import Vectors
from assay.embedding.cache import VectorCache
from assay.tasks.candidate import text_digest

Chunk = tuple[int, ...]
"""Token ids, start and end mark included."""
BATCH = 16
"""Chunks that go through the model together."""


class ChunkModel(Protocol):
    """A model that embeds chunks of tokens. Loaded only when a chunk is asked for that nobody embedded before."""

    def split(self, text: str) -> list[Chunk]:
        """The text as chunks; no chunk for an empty text."""
        ...

    def encode(self, chunks: Sequence[Chunk]) -> Vectors:
        """One row a chunk, the same for a chunk whatever its neighbours but for rounding."""
        ...


@runtime_checkable
class InPieces(Protocol):
    """An embedder whose vectors grow with the length of a text, because each is a sum."""

    def pieces(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Of how many vectors each is the sum, at least 1: divided by it, a vector is free of the text's length."""
        ...


class ChunkEmbedder:
    """Sums the vectors of a text's chunks. Texts that were embedded before need neither model nor tokeniser."""

    def __init__(self, name: str, dimensions: int, load: Callable[[], ChunkModel], cache: Path) -> None:
        self.name = name
        self.dimensions = dimensions
        self._load = load
        self._model: ChunkModel | None = None
        self._cache = VectorCache(cache / f"{name}.sqlite", dimensions)

    def embed(self, texts: Sequence[str]) -> Vectors:
        plans = self._plans(texts)
        vectors = self._cache.vectors({digest for plan in plans for digest in plan})
        rows = np.zeros((len(texts), self.dimensions), np.float32)
        for row, plan in zip(rows, plans, strict=True):
            for digest in plan:
                row += vectors[digest]
        return rows

    def pieces(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([max(len(plan), 1) for plan in self._plans(texts)], np.float32)

    def _plans(self, texts: Sequence[str]) -> list[list[str]]:
        """The digests of each text's chunks, all of which are in the cache when this returns."""
        digests = [text_digest(text) for text in texts]
        plans = {text_digest(""): [], **self._cache.plans(set(digests))}
        fresh = {digest: text for digest, text in zip(digests, texts, strict=True) if digest not in plans}
        if fresh:
            plans |= self._embed_fresh(fresh)
        return [plans[digest] for digest in digests]

    def _embed_fresh(self, texts: dict[str, str]) -> dict[str, list[str]]:
        if self._model is None:
            self._model = self._load()
        plans: dict[str, list[str]] = {}
        chunks: dict[str, Chunk] = {}
        for digest, text in texts.items():
            split = [(text_digest(repr(chunk)), chunk) for chunk in self._model.split(text)]
            plans[digest] = [name for name, _ in split]
            chunks.update(split)
        missing = sorted(set(chunks) - self._cache.known(set(chunks)))
        # longest first and like lengths together: little padding, and the largest batch fails first if memory is short
        missing.sort(key=lambda digest: -len(chunks[digest]))
        for start in range(0, len(missing), BATCH):
            batch = missing[start : start + BATCH]
            rows = self._model.encode([chunks[digest] for digest in batch])
            self._cache.put_vectors(dict(zip(batch, rows, strict=True)))
        self._cache.put_plans(plans)
        return plans
