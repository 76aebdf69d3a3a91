"""Vectors remembered by the content they stand for: one file an embedder, shared by all runs and processes."""

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.embedding.base import Vectors
from assay.errors import AssayError

SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (digest TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS plans (digest TEXT PRIMARY KEY, chunks TEXT NOT NULL) WITHOUT ROWID;
"""
ASKED_AT_ONCE = 500
"""Placeholders in one query; SQLite's own bound is higher on every build."""
PATIENCE = 60.0
"""Seconds to wait for another writer."""


class VectorCache:
    """Chunk digest → vector, and text digest → the digests of its chunks."""

    def __init__(self, path: Path, dimensions: int) -> None:
        self._path = path
        self._dimensions = dimensions

    def vectors(self, digests: Collection[str]) -> dict[str, Vectors]:
        """Raises AssayError if one is missing: plans are written after their vectors, so the file was damaged."""
        rows = self._select("SELECT digest, data FROM vectors WHERE digest IN ", digests)
        found = {digest: np.frombuffer(data, "<f4") for digest, data in rows}
        if len(found) != len(set(digests)) or any(len(v) != self._dimensions for v in found.values()):
            raise AssayError(f"{self._path} is damaged", "delete the file: it is made again")
        return found

    def known(self, digests: Collection[str]) -> set[str]:
        return {digest for (digest,) in self._select("SELECT digest FROM vectors WHERE digest IN ", digests)}

    def plans(self, digests: Collection[str]) -> dict[str, list[str]]:
        rows = self._select("SELECT digest, chunks FROM plans WHERE digest IN ", digests)
        return {digest: chunks.split() for digest, chunks in rows}

    def put_vectors(self, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        rows = [(digest, vector.astype("<f4").tobytes()) for digest, vector in vectors.items()]
        self._insert("INSERT OR IGNORE INTO vectors VALUES (?, ?)", rows)

    def put_plans(self, plans: Mapping[str, list[str]]) -> None:
        self._insert(
            "INSERT OR IGNORE INTO plans VALUES (?, ?)", [(d, " ".join(chunks)) for d, chunks in plans.items()]
        )

    def _select(self, query: str, digests: Collection[str]) -> list[Any]:
        wanted = sorted(set(digests))
        rows: list[Any] = []
        with self._open() as database:
            for start in range(0, len(wanted), ASKED_AT_ONCE):
                part = wanted[start : start + ASKED_AT_ONCE]
                rows += database.execute(f"{query}({','.join('?' * len(part))})", part).fetchall()
        return rows

    def _insert(self, query: str, rows: list[tuple[str, Any]]) -> None:
        with self._open() as database, database:
            database.executemany(query, rows)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with closing(sqlite3.connect(self._path, timeout=PATIENCE)) as database:
                database.executescript(SCHEMA)
                yield database
        except sqlite3.DatabaseError as error:
            raise AssayError(f"{self._path} cannot be used: {error}", "delete the file: it is made again") from None
