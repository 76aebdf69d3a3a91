"""Booleans, and words among which the code itself or common usage offers alternatives."""

import ast
import random
from collections.abc import Iterator, Sequence

from assay.proposers.mutations.scales import words
from assay.proposers.mutations.site import ARROW, Edit, Site, Trial, place, replacement, tried, vocabulary
from assay.proposers.mutations.source import Source, defaulted

SETTLED = vocabulary("copy keepdims verbose disp warm_start copy_X inplace strict")
SECOND_CHANCE = 0.15
"""How often a value that was tried before is tried again, now that the code around it may have changed."""
ALTERNATIVES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("activation", ("relu", "tanh", "logistic", "identity")),
    ("kernel", ("linear", "rbf", "poly")),
    ("metric", ("euclidean", "cosine", "manhattan")),
    ("decay", ("constant", "cosine", "linear")),
    ("schedule", ("constant", "cosine", "linear")),
    ("weights", ("uniform", "distance")),
    ("method", ("L-BFGS-B", "BFGS", "CG", "Powell")),
    ("average", ("mean", "median")),
)
"""Words that commonly stand for each other where a name has this word in it and the code names no alternatives."""


def sites(source: Source) -> Iterator[Site]:
    """Booleans and words that are assigned, passed by keyword or set as a default."""
    for node in source.nodes:
        if not isinstance(node, ast.Constant):
            continue
        name = _name(source, node)
        if name is None:
            continue
        if isinstance(node.value, bool):
            yield _choice(source, node, name, (repr(not node.value),))
        elif isinstance(node.value, str) and (others := _others(source, node, name, node.value)):
            yield _choice(source, node, name, tuple(repr(o) for o in others))


def _choice(source: Source, node: ast.Constant, name: str, options: tuple[str, ...]) -> Site:
    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        # what was left for the present value is known as well as what was tried
        known = tried(trials) | {t.change.partition(ARROW)[0] for t in trials}
        fresh = [o for o in options if o not in known]
        if not fresh and rng.random() < SECOND_CHANCE:
            fresh = list(options)
        if not fresh:
            return None
        after = rng.choice(fresh)
        return Edit(replacement(repr(node.value), after), (source.replace(node, after),))

    site = place(name, source.where(node))
    return Site("choice", site, f"choose another value for {site}", make)


def _name(source: Source, node: ast.Constant) -> str | None:
    above = source.parent(node)
    if isinstance(above, ast.keyword) and above.arg and above.arg not in SETTLED:
        call = source.parent(above)
        return f"{above.arg} of {ast.unparse(call.func)[:28]}" if isinstance(call, ast.Call) else None
    if isinstance(above, ast.Assign):
        return ast.unparse(above.targets[0])
    if isinstance(above, ast.AnnAssign):
        return ast.unparse(above.target)
    if isinstance(above, ast.arguments):
        return f"default of {defaulted(above, node)}"
    return None


def _others(source: Source, node: ast.Constant, name: str, word: str) -> list[str]:
    """Alternatives to a word: those the code compares the same name with, else those of the table."""
    above = source.parent(node)
    target = above.targets[0] if isinstance(above, ast.Assign) else None
    compared: list[str] = []
    if isinstance(target, ast.Name):
        for other in source.nodes:
            if isinstance(other, ast.Compare) and isinstance(other.left, ast.Name) and other.left.id == target.id:
                found = [c.value for c in ast.walk(other) if isinstance(c, ast.Constant) and isinstance(c.value, str)]
                compared += [text for text in found if text != word and text not in compared]
    if compared:
        return compared
    known = words(name)
    table = next((group for subject, group in ALTERNATIVES if subject in known and word in group), ())
    return [other for other in table if other != word]
