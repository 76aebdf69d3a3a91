"""The built-in embedder `tokens`: hashed n-grams of tokens and of the syntax tree. No model, no download, no seed.

A text is cut at its top-level statements. Each piece is counted on its own: runs of one to three tokens, and in its
syntax tree every node with its parent and grandparent. A count goes to one of 768 coordinates, and to one of two signs,
by the hash of its n-gram; the pieces are added up and the sum is brought to length 1, so that distance does not grow
with the length of a file. Candidates of one run share most of their statements, and a piece is counted once.
"""

import ast
import re
import warnings
from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from assay.embedding.base import Vectors

Hashes = NDArray[np.uint64]

DIMENSIONS = 768
TOKEN = re.compile(r"[^\W\d]\w*|\d+(?:\.\d+)?|[^\w\s]")
STATEMENT = re.compile(r"^(?=[^\W\d]|@)(?!(?:else|elif|except|finally|case)\b)", re.MULTILINE)
"""Where a statement begins that stands in no other."""
MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
STIRS = ((np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB)))
"""Shifts and factors of the splitmix64 finaliser: neighbouring sums land in unrelated coordinates."""
NO_NODES = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)
"""Nodes without children that say nothing which the tokens do not say."""


class Tokens:
    """See the module. Equal on every machine; the tree's part follows the grammar of the running Python version."""

    name = "tokens"
    dimensions = DIMENSIONS

    def embed(self, texts: Sequence[str]) -> Vectors:
        rows = np.zeros((len(texts), DIMENSIONS), np.float64)
        with warnings.catch_warnings():
            # the parser has opinions on other people's string escapes
            warnings.simplefilter("ignore")
            for row, text in zip(rows, texts, strict=True):
                for piece in pieces(text):
                    row += _counts(piece)
        length = np.linalg.norm(rows, axis=1, keepdims=True)
        rows /= np.where(length > 0, length, 1)
        return rows.astype(np.float32)


def pieces(text: str) -> list[str]:
    """The text cut before each top-level statement, decorators staying with what they decorate."""
    cuts = [match.start() for match in STATEMENT.finditer(text)]
    found: list[str] = []
    start = 0
    for cut in cuts:
        if cut > start and not text.startswith("@", _line_start(text, cut)):
            found.append(text[start:cut])
            start = cut
    return [piece for piece in (*found, text[start:]) if piece.strip()]


def _line_start(text: str, cut: int) -> int:
    """Where the line before `cut` begins."""
    return text.rfind("\n", 0, cut - 1) + 1


@lru_cache(maxsize=8192)
def _counts(piece: str) -> NDArray[np.int32]:
    """The signed count of n-grams in each coordinate."""
    hashes = np.concatenate([*_token_grams(piece), *_tree_grams(piece)])
    signs = np.where(hashes >> np.uint64(63), 1, -1)
    counts = np.bincount((hashes % np.uint64(DIMENSIONS)).astype(np.intp), signs, DIMENSIONS).astype(np.int32)
    counts.setflags(write=False)
    return counts


def _token_grams(piece: str) -> Iterable[Hashes]:
    ids = _hashes(TOKEN.findall(piece))
    pairs = _mix(ids[:-1], ids[1:])
    return ids, pairs, _mix(pairs[:-1], ids[2:])


def _tree_grams(piece: str) -> Iterable[Hashes]:
    """Node types with their parents and grandparents; nothing for text that is no Python."""
    try:
        tree = ast.parse(piece)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    nodes: list[ast.AST] = [tree]
    parents = [0]
    for position, node in enumerate(nodes):
        for field in node._fields:
            value = getattr(node, field, None)
            for child in value if isinstance(value, list) else (value,):
                if isinstance(child, ast.AST) and not isinstance(child, NO_NODES):
                    nodes.append(child)
                    parents.append(position)
    ids = _hashes([f"<{type(node).__name__}>" for node in nodes])
    above = np.array(parents)
    pairs = _mix(ids[above], ids)
    return pairs[1:], _mix(pairs[above], ids)[1:]


def _hashes(words: Sequence[str]) -> Hashes:
    return np.fromiter((_hash(word) for word in words), np.uint64, len(words))


@lru_cache(maxsize=1 << 16)
def _hash(word: str) -> int:
    return int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _mix(first: Hashes, second: Hashes) -> Hashes:
    """One hash of two, in this order."""
    mixed = first * MULTIPLIER + second
    for shift, factor in STIRS:
        mixed = (mixed ^ (mixed >> shift)) * factor
    return mixed ^ (mixed >> np.uint64(31))
