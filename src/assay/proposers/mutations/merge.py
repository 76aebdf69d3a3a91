"""Changes of two candidates against a common one, brought together or taken back in part."""

import ast
import difflib
import random
from collections.abc import Sequence
from dataclasses import dataclass

from assay.proposers.mutations.source import read


@dataclass(frozen=True)
class Hunk:
    """Lines `start` to `end` of the original become `lines`."""

    start: int
    end: int
    lines: tuple[str, ...]

    @property
    def only_imports(self) -> bool:
        """Imports alone change nothing, and what is kept of the rest may need them."""
        return self.start == self.end and all(line.startswith(("import ", "from ")) for line in self.lines)

    def meets(self, other: "Hunk") -> bool:
        """Whether both change the same lines, or insert at the same place."""
        return self.start <= other.end and other.start <= self.end


def hunks(before: str, after: str) -> tuple[Hunk, ...]:
    """What changed from one text to another, as separate pieces."""
    a, b = before.splitlines(keepends=True), after.splitlines(keepends=True)
    codes = difflib.SequenceMatcher(a=a, b=b, autojunk=False).get_opcodes()
    return tuple(Hunk(i1, i2, tuple(b[j1:j2])) for tag, i1, i2, j1, j2 in codes if tag != "equal")


def applied(before: str, changes: Sequence[Hunk]) -> str:
    lines = before.splitlines(keepends=True)
    for hunk in sorted(changes, key=lambda h: (h.start, h.end), reverse=True):
        lines[hunk.start : hunk.end] = hunk.lines
    return "".join(lines)


def united(first: Sequence[Hunk], second: Sequence[Hunk], rng: random.Random) -> tuple[list[Hunk], list[Hunk]]:
    """The changes kept of each side. Where they meet, one side wins by lot; now and then a change is left out."""
    kept = [h for h in first if rng.random() > 0.1]
    taken = []
    for hunk in second:
        rivals = [h for h in kept if h.meets(hunk)]
        if rivals and rng.random() < 0.5:
            continue
        if hunk in rivals or (len(second) > 1 and rng.random() < 0.1):
            continue
        kept = [h for h in kept if h not in rivals]
        taken.append(hunk)
    return kept, taken


def places(before: str, changes: Sequence[Hunk]) -> str:
    """The definitions of the original that the changes fall into, in words."""
    source = read(before)
    names: list[str] = []
    for hunk in changes:
        found = "top level"
        for node in source.tree.body if source else ():
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.lineno <= hunk.start + 1 <= (
                node.end_lineno or 0
            ):
                found = node.name
        names.append(found)
    return ", ".join(dict.fromkeys(names))
