"""Transforms of feature arrays, row by row, at the head of a function, so that training and prediction see the same."""

import ast
import random
import re
from collections.abc import Iterator, Sequence

from assay.proposers.mutations.site import Edit, Site, Trial, place
from assay.proposers.mutations.source import Source, Splice

FEATURES = re.compile(r"^(X|x|images?|features|pixels)(_\w+)?$")
MAPS = re.compile("feature|encode|embed|transform|prepare|preprocess|represent|extract|normali|standard")
"""Names of functions whose very purpose is to turn rows into features."""
TRANSFORMS: tuple[tuple[str, str], ...] = (
    ("take square roots", "np.sign({x}) * np.sqrt(np.abs({x}))"),
    ("take logarithms", "np.sign({x}) * np.log1p(np.abs({x}))"),
    ("square", "np.square({x})"),
    ("squash by tanh", "np.tanh({x})"),
    ("cut at 0.5", "({x} > 0.5).astype(float)"),
    ("clip to [-2, 2]", "np.clip({x}, -2.0, 2.0)"),
    ("centre each row", "{x} - {x}.mean(axis=-1, keepdims=True)"),
    (
        "standardise each row",
        "({x} - {x}.mean(axis=-1, keepdims=True)) / ({x}.std(axis=-1, keepdims=True) + 1e-6)",
    ),
    ("scale each row to unit length", "{x} / (np.linalg.norm({x}, axis=-1, keepdims=True) + 1e-6)"),
    ("append squares", "np.concatenate([{x}, np.square({x})], axis=-1)"),
    ("append neighbouring products", "np.concatenate([{x}, {x}[..., :-1] * {x}[..., 1:]], axis=-1)"),
    ("average over the second axis", "{x}.mean(axis=1) if {x}.ndim > 2 else {x}"),
    ("take the maximum over the second axis", "{x}.max(axis=1) if {x}.ndim > 2 else {x}"),
)


def sites(source: Source) -> Iterator[Site]:
    """One site a function that is handed features, and one for all those together that are called from outside."""
    if "np" not in source.aliases:
        return
    takers = [(n, names) for n in source.nodes if isinstance(n, ast.FunctionDef) and (names := _features(n))]
    takers = [(node, names) for node, names in takers if source.alone_on_its_lines(_first(node))]
    for node, names in takers:
        inside = place(f"features of {node.name}", source.where(node))
        yield _site(source, inside, [(node, names)], 3.0 if MAPS.search(node.name) else 1.0)
    called = {n.func.id for n in source.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    entrances = [(n, names) for n, names in takers if n.name not in called and not n.name.startswith("_")]
    if len(entrances) > 1:
        listed = ", ".join(node.name for node, _ in entrances)
        yield _site(source, place(f"features of {listed}", ""), entrances, 2.0)


def _site(source: Source, name: str, takers: list[tuple[ast.FunctionDef, list[str]]], weight: float) -> Site:
    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        known = frozenset(t.change for t in trials)
        options = [(words, code) for words, code in TRANSFORMS if words not in known]
        if not options:
            return None
        words, code = rng.choice(options)
        splices = []
        for node, names in takers:
            first = _first(node)
            start = source.line_start(first)
            margin = source.between(start, source.start(first))
            lines = "".join(f"{margin}{x} = {code.replace('{x}', x)}\n" for x in names)
            splices.append(Splice(start, start, lines))
        return Edit(words, tuple(splices))

    return Site("array", name, f"transform the {name}", make, weight)


def _features(node: ast.FunctionDef) -> list[str]:
    return [a.arg for a in [*node.args.posonlyargs, *node.args.args] if FEATURES.match(a.arg)]


def _first(node: ast.FunctionDef) -> ast.stmt:
    """The first statement that is no docstring; the docstring itself if there is nothing else."""
    first = node.body[0]
    docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return node.body[1] if docstring and len(node.body) > 1 else first
