"""Statements deleted, repeated or exchanged with their neighbour, where the names they bind allow it."""

import ast
import random
from collections.abc import Iterator, Sequence

from assay.proposers.mutations.site import Edit, Site, Trial, place, vocabulary
from assay.proposers.mutations.source import Source, Splice

MOVABLE = (ast.Assign, ast.AugAssign, ast.Expr, ast.For, ast.If)
EXCERPT = 48
VITAL = vocabulary("append extend fit partial_fit train update")


def sites(source: Source) -> Iterator[Site]:
    """Sites inside functions. Definitions, imports, returns and docstrings stay."""
    for node in source.nodes:
        for body in _bodies(node):
            for number, statement in enumerate(body):
                if not _movable(source, statement):
                    continue
                if _may_go(source, statement):
                    yield _deleting(source, statement, alone=len(body) == 1)
                if isinstance(statement, ast.AugAssign | ast.Expr | ast.For):
                    yield _repeating(source, statement)
                after = body[number + 1] if number + 1 < len(body) else None
                if after is not None and _movable(source, after) and _order_matters(source, statement, after):
                    yield _exchanging(source, statement, after)


def _bodies(node: ast.AST) -> Iterator[list[ast.stmt]]:
    if isinstance(node, ast.FunctionDef | ast.For | ast.While | ast.If | ast.With):
        yield node.body
        if isinstance(node, ast.If | ast.For) and node.orelse:
            yield node.orelse


def _movable(source: Source, statement: ast.stmt) -> bool:
    docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    inside = source.scope(statement) is not source.tree
    jumps = any(isinstance(n, ast.Return | ast.Break | ast.Continue | ast.Yield) for n in ast.walk(statement))
    kind = isinstance(statement, MOVABLE) and not docstring and not jumps
    return kind and inside and source.alone_on_its_lines(statement)


def _written(statement: ast.stmt) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


def _read(statement: ast.stmt) -> frozenset[str]:
    names = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    return frozenset(names | (_written(statement) if isinstance(statement, ast.AugAssign) else set()))


def _may_go(source: Source, statement: ast.stmt) -> bool:
    """Whether every name it binds is also bound before it in the same function, or read nowhere else in it.

    A call that is nothing but `model.fit(...)` or the like is what the rest lives on.
    """
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return ast.unparse(statement.value.func).rpartition(".")[2] not in VITAL
    scope = source.scope(statement)
    if isinstance(statement, ast.AugAssign):
        return True
    start, end = source.start(statement), source.end(statement)
    others = [n for n in source.names(scope) if not start <= source.start(n) < end]
    bound_before = {n.id for n in others if isinstance(n.ctx, ast.Store) and source.start(n) < start}
    read = {n.id for n in others if isinstance(n.ctx, ast.Load)}
    return not ((_written(statement) & read) - bound_before - _parameters(scope))


def _parameters(scope: ast.AST) -> frozenset[str]:
    if not isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return frozenset()
    a = scope.args
    return frozenset(p.arg for p in (*a.posonlyargs, *a.args, *a.kwonlyargs))


def _order_matters(source: Source, first: ast.stmt, second: ast.stmt) -> bool:
    """Whether one of two statements changes what the other reads, and either may come first with every name bound."""
    passed_on = _written(first) & _read(second)
    if not (passed_on or _written(second) & _read(first)):
        return False
    scope = source.scope(first)
    before = {
        n.id for n in source.names(scope) if isinstance(n.ctx, ast.Store) and source.start(n) < source.start(first)
    }
    return passed_on <= before | _parameters(scope)


def _excerpt(source: Source, statement: ast.stmt) -> str:
    return "`" + " ".join(source.segment(statement).split()).replace(";", ",").replace(":", " ")[:EXCERPT] + "`"


def _lines(source: Source, statement: ast.stmt) -> tuple[int, int, str]:
    start, end = source.line_start(statement), source.next_line(statement)
    text = source.between(start, end)
    return start, end, text if text.endswith("\n") else text + "\n"


def _deleting(source: Source, statement: ast.stmt, alone: bool) -> Site:
    start, end, text = _lines(source, statement)
    margin = text[: len(text) - len(text.lstrip())]
    return _once(source, statement, "delete", (Splice(start, end, f"{margin}pass\n" if alone else ""),), 1.0)


def _repeating(source: Source, statement: ast.stmt) -> Site:
    start, _, text = _lines(source, statement)
    return _once(source, statement, "repeat", (Splice(start, start, text),), 0.5)


def _exchanging(source: Source, first: ast.stmt, second: ast.stmt) -> Site:
    start, middle, one = _lines(source, first)
    other_start, end, two = _lines(source, second)
    between = source.between(middle, other_start)
    return _once(source, first, "exchange with the next", (Splice(start, end, two + between + one),), 0.3)


def _once(source: Source, statement: ast.stmt, verb: str, splices: tuple[Splice, ...], weight: float) -> Site:
    """A site whose only edit is tried once."""
    name = place(f"statement {_excerpt(source, statement)}", source.where(statement))

    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        return None if any(t.change == verb for t in trials) else Edit(verb, splices)

    return Site("statement", name, f"{verb} {name}", make, weight)
