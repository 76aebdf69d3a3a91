"""The built-in embedder `tokens`: hashed n-grams of tokens and of the syntax tree. No model, no download, no seed.

A text is cut into its top-level statements. In each of them the runs of one to three tokens are counted, and in its
syntax tree every node with its parent and grandparent. A count goes to one of 768 coordinates, and to one of two signs,
by the hash of its n-gram; the counts are added up and the sum is brought to length 1, so that distance does not grow
with the length of a file. What candidates share is counted once: a piece in one call, a statement in one process.
"""

import re
import warnings
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from assay.embedding.base import Vectors
from assay.embedding.memory import remember
from assay.embedding.statements import cut, pieces
from assay.embedding.syntax import Blocks, Place, read

Hashes = NDArray[np.uint64]
Slots = NDArray[np.int64]
"""Where an n-gram counts: a coordinate, in which it counts as −1, or DIMENSIONS more than that, and it counts as +1."""

DIMENSIONS = 768
TOKEN = re.compile(r"[^\W\d]\w*|\d+(?:\.\d+)?|[^\w\s]")
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
STIRS = ((np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB)))
"""Shifts and factors of the splitmix64 finaliser: neighbouring sums land in unrelated coordinates."""
BATCH = 256
"""Pieces that are hashed together: enough for speed, and a few megabytes."""


class Tokens:
    """See the module. Equal on every machine; the tree's part follows the grammar of the running Python version."""

    name = "tokens"
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), DIMENSIONS), np.float64)
        holders: dict[str, list[int]] = {}
        for number, text in enumerate(texts):
            for piece in pieces(text):
                holders.setdefault(piece, []).append(number)
        different = list(holders)
        with warnings.catch_warnings():
            # the parser has opinions on other people's string escapes
            warnings.simplefilter("ignore")
            for start in range(0, len(different), BATCH):
                batch = different[start : start + BATCH]
                for piece, counts in zip(batch, _counts(batch), strict=True):
                    for number in holders[piece]:
                        rows[number] += counts
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        rows /= np.where(length > 0, length, 1)
        return rows.astype(np.float32)


class Counted(NamedTuple):
    """What one statement brings."""

    words: Hashes
    """Its tokens in order: their n-grams reach into the next statement of the same piece."""
    nodes: Slots
    opens: Place | None


def _counts(batch: Sequence[str]) -> NDArray[np.float64]:
    """For each piece the signed count of its n-grams in each coordinate."""
    found = [_statements(piece) for piece in batch]
    ones, holder = _joined([[each.words for each in statements] for statements in found], np.uint64)
    nodes, node_holder = _joined([[each.nodes for each in statements] for statements in found], np.int64)
    twos = _mix(ones[:-1], ones[1:])
    threes = _mix(twos[:-1], ones[2:])
    # no n-gram reaches from one piece into another
    two, three = holder[:-1] == holder[1:], holder[:-2] == holder[2:]
    slots = np.concatenate([nodes, _slots(np.concatenate([ones, twos[two], threes[three]]))])
    holders = np.concatenate([node_holder, holder, holder[1:][two], holder[2:][three]])
    size = 2 * DIMENSIONS
    counts = np.bincount(size * holders + slots, minlength=size * len(batch)).reshape(-1, 2, DIMENSIONS)
    return (counts[:, 1] - counts[:, 0]).astype(np.float64)


def _joined(groups: Sequence[Sequence[NDArray[Any]]], kind: type[np.generic]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """All arrays of all groups as one, and for each entry the number of its group."""
    every = [np.zeros(0, kind), *(each for group in groups for each in group)]
    return np.concatenate(every), np.repeat(np.arange(len(groups)), [sum(map(len, group)) for group in groups])


def _statements(piece: str) -> list[Counted]:
    blocks = Blocks()
    found = []
    for indent, text in cut(piece).statements:
        counted = _counted(text, blocks.place(indent, text))
        if counted.opens:
            blocks.enter(indent, counted.opens)
        found.append(counted)
    return found


@remember(entries=1 << 15, longest=1 << 12)
def _counted(text: str, place: Place) -> Counted:
    nodes, opens = read(text, place)
    words = TOKEN.findall(text)
    return Counted(
        words=np.fromiter(map(_hash, words), np.uint64, len(words)),
        nodes=np.array([slot for node in nodes for slot in _node_slots(*node)], np.int64),
        opens=opens,
    )


@lru_cache(maxsize=1 << 14)
def _node_slots(grandparent: str, parent: str, kind: str) -> tuple[int, int]:
    """Of a node with its parent, and of both with the grandparent."""
    first, second, third = (np.array([_hash(f"<{name}>")], np.uint64) for name in (grandparent, parent, kind))
    return int(_slots(_mix(second, third))[0]), int(_slots(_mix(_mix(first, second), third))[0])


@remember(entries=1 << 16, longest=1 << 6)
def _hash(word: str) -> int:
    return int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _mix(first: Hashes, second: Hashes) -> Hashes:
    """One hash of two, in this order."""
    mixed = first * MULTIPLIER + second
    for shift, factor in STIRS:
        mixed = (mixed ^ (mixed >> shift)) * factor
    return mixed ^ (mixed >> np.uint64(31))


def _slots(grams: Hashes) -> Slots:
    return (grams % np.uint64(DIMENSIONS) + (grams >> np.uint64(63)) * np.uint64(DIMENSIONS)).astype(np.int64)
