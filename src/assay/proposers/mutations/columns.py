"""Parts of stacked features: one left out everywhere at once, so that training and prediction still agree."""

import ast
import random
from collections.abc import Iterator, Sequence

from assay.proposers.mutations.site import Edit, Site, Trial, place, vocabulary
from assay.proposers.mutations.source import Source, Splice

STACKING = vocabulary("np.column_stack np.hstack np.concatenate np.vstack np.stack np.c_")


def sites(source: Source) -> Iterator[Site]:
    """One site a way of stacking: all calls of it in the file with as many parts are taken for the same thing."""
    groups: dict[tuple[str, int], list[list[ast.expr]]] = {}
    for node in source.nodes:
        name, parts = _parts(node)
        if len(parts) > 1:
            groups.setdefault((name, len(parts)), []).append(parts)
    for (name, count), stacks in groups.items():
        yield _site(source, name, count, stacks)


def _site(source: Source, name: str, count: int, stacks: list[list[ast.expr]]) -> Site:
    first = ", ".join(ast.unparse(part)[:20] for part in stacks[0])
    site = place(f"parts of {name} ({first})", "")

    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        number = rng.randrange(count)
        words = "leave out " + ", ".join(dict.fromkeys(ast.unparse(parts[number])[:30] for parts in stacks))
        if any(t.change == words for t in trials):
            return None
        return Edit(words, tuple(_without(source, parts, number) for parts in stacks))

    return Site("column", site, f"leave out one of the {site}", make)


def _parts(node: ast.AST) -> tuple[str, list[ast.expr]]:
    """What is stacked: of `np.hstack([a, b])` and of `np.c_[a, b]`."""
    if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.List | ast.Tuple):
        name = ast.unparse(node.func)
        return (name, node.args[0].elts) if name in STACKING else ("", [])
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple) and ast.unparse(node.value) == "np.c_":
        return "np.c_", node.slice.elts
    return "", []


def _without(source: Source, parts: list[ast.expr], number: int) -> Splice:
    if number + 1 < len(parts):
        return Splice(source.start(parts[number]), source.start(parts[number + 1]), "")
    # the comma before the last part stays: `(a,)` is a tuple and `(a)` is not
    return Splice(source.start(parts[number]), source.end(parts[number]), "")
