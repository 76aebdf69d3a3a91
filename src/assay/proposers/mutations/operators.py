"""Operators of formulas and comparisons, factors on terms, and numpy functions that stand for each other."""

import ast
import random
from collections.abc import Iterator, Sequence

from assay.proposers.mutations.site import Edit, Site, Trial, place, replacement, tried
from assay.proposers.mutations.source import Source, Splice

ARITHMETIC = {ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*")}
COMPARISON = {ast.Lt: ("<", ">"), ast.Gt: (">", "<"), ast.LtE: ("<=", ">"), ast.GtE: (">=", "<")}
FUNCTIONS: tuple[tuple[str, ...], ...] = (
    ("mean", "median"),
    ("sum", "mean"),
    ("abs", "square"),
    ("maximum", "minimum"),
    ("max", "min", "mean"),
    ("tanh", "arctan", "sin"),
    ("argmax", "argmin"),
    ("normal", "standard_normal"),
)
FACTORS = ("0.1", "0.3", "0.5", "0.7", "1.5", "2.0", "3.0")


def sites(source: Source) -> Iterator[Site]:
    for node in source.nodes:
        if isinstance(node, ast.BinOp) and type(node.op) in ARITHMETIC:
            yield from _flip(source, node, node.left, node.right, ARITHMETIC[type(node.op)], 0.3)
        elif isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARISON:
            yield from _flip(source, node, node.left, node.comparators[0], COMPARISON[type(node.ops[0])], 0.3)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "np":
            yield from _function(source, node)
        elif isinstance(node, ast.Assign | ast.AugAssign | ast.Return):
            yield from _factor(source, node.value)


def _excerpt(node: ast.AST) -> str:
    return f"`{ast.unparse(node)[:40]}`"


def _flip(
    source: Source, node: ast.AST, left: ast.AST, right: ast.AST, signs: tuple[str, str], weight: float
) -> Iterator[Site]:
    start, end = source.end(left), source.start(right)
    between = source.between(start, end)
    if between.count(signs[0]) != 1 or "#" in between:
        return
    name = place(f"sign of {_excerpt(node)}", source.where(node))

    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        if trials:
            return None
        return Edit(replacement(*signs), (Splice(start, end, between.replace(*signs)),))

    yield Site("operator", name, f"turn the {name}", make, weight)


def _function(source: Source, node: ast.Attribute) -> Iterator[Site]:
    others = [n for group in FUNCTIONS if node.attr in group for n in group if n != node.attr]
    if not others:
        return
    name = place(f"function np.{node.attr} of {_excerpt(source.parent(node) or node)}", source.where(node))
    end = source.end(node)

    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        fresh = [o for o in others if f"np.{o}" not in tried(trials)]
        if not fresh:
            return None
        after = rng.choice(fresh)
        splice = Splice(end - len(node.attr.encode()), end, after)
        return Edit(replacement(f"np.{node.attr}", f"np.{after}"), (splice,))

    yield Site("operator", name, f"use another function than np.{node.attr} in {source.where(node)}", make, 0.5)


def _factor(source: Source, value: ast.expr | None) -> Iterator[Site]:
    """A factor before a formula of a function."""
    formula = isinstance(value, ast.BinOp) and type(value.op) in (*ARITHMETIC, ast.MatMult, ast.Pow)
    if value is None or not formula or source.scope(value) is source.tree:
        return
    name = place(f"size of {_excerpt(value)}", source.where(value))

    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        fresh = [f for f in FACTORS if not any(t.change.endswith(f" {f}") for t in trials)]
        if not fresh:
            return None
        factor = rng.choice(fresh)
        return Edit(f"multiply by {factor}", (source.replace(value, f"{factor} * ({source.segment(value)})"),))

    yield Site("operator", name, f"scale {name}", make, 1.0)
