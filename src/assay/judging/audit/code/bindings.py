"""Which names a statement gives a value to."""

import ast

from assay.judging.audit.code.source import dotted


def bindings(node: ast.AST) -> list[tuple[str, ast.expr, bool]]:
    """The names a node gives a value to, the value, and whether it is added to what was there."""
    match node:
        case ast.Assign(targets=targets, value=value):
            return [found for target in targets for found in _target(target, value)]
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return _target(target, value)
        case ast.AugAssign(target=target, value=value):
            return [(name, value, True) for name, _, _ in _target(target, value)]
        case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
            return [(n.id, value, True) for n in ast.walk(target) if isinstance(n, ast.Name)]
        case ast.Lambda(args=arguments):
            # what is passed to a lambda is not followed; its body decides
            return [(argument.arg, ast.Constant(0), True) for argument in arguments.args]
        case ast.withitem(context_expr=value, optional_vars=ast.Name(id=name)):
            return [(name, value, False)]
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=holder, attr="append" | "extend" | "update" | "insert")) as call
        ):
            name = dotted(holder)
            plain = name if name.startswith("self.") else name.split(".")[0]
            return [(plain, argument, True) for argument in call.args] if plain else []
    return []


def _target(target: ast.expr, value: ast.expr) -> list[tuple[str, ast.expr, bool]]:
    match target:
        case ast.Name(id=name):
            return [(name, value, False)]
        case ast.Attribute():
            name = dotted(target)
            return [(name, value, False)] if name.startswith("self.") else []
        case ast.Subscript(value=holder):
            name = dotted(holder)
            plain = name if name.startswith("self.") else name.split(".")[0]
            return [(plain, value, True)] if plain else []
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            if isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(parts):
                return [found for part, v in zip(parts, value.elts, strict=True) for found in _target(part, v)]
            return [found for part in parts for found in _target(part, value)]
    return []
