"""Calls of known estimators in a source, and how the rest of the code uses them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from assay.proposers.mutations.catalogue import Estimator, estimators
from assay.proposers.mutations.site import vocabulary
from assay.proposers.mutations.source import Source, Splice

FITTED = vocabulary("coef_ intercept_ estimators_ feature_importances_ support_ coefs_ cluster_centers_ components_")
"""Attributes that only some fitted estimators have."""


@dataclass(frozen=True)
class EstimatorCall:
    """`LogisticRegression(C=1.0)` in a source."""

    node: ast.Call
    estimator: Estimator

    @property
    def keywords(self) -> dict[str, ast.keyword]:
        return {k.arg: k for k in self.node.keywords if k.arg is not None}


def estimator_calls(source: Source) -> Iterator[EstimatorCall]:
    """Calls by the plain name that an import gave. scikit-learn is not imported for code that does not use it."""
    if "sklearn" not in source.text:
        return
    for node in source.nodes:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in source.aliases:
            estimator = estimators().get(node.func.id)
            if estimator is not None:
                yield EstimatorCall(node, estimator)


def uses_inner_state(source: Source) -> bool:
    """Whether the code reads what only the estimator itself has, so that it must not be hidden inside another."""
    return (
        "__sample_weight" in source.text
        or bool(FITTED & source.attributes)
        or "sample_weight" in source.keywords
        or "partial_fit" in source.attributes
    )


def can_stand_for(source: Source, old: Estimator, new: Estimator) -> bool:
    """Whether `new` offers all that the code uses of `old`."""
    if f"{old.name.lower()}__" in source.text or (FITTED & source.attributes and new.module != old.module):
        return False
    if "sample_weight" in source.keywords and not new.weighs_rows:
        return False
    return (source.attributes & old.methods) <= new.methods


def without(source: Source, call: ast.Call, item: ast.AST) -> Splice:
    """Take one argument out of a call, with its comma."""
    items: list[ast.AST] = sorted([*call.args, *call.keywords], key=source.start)
    number = items.index(item)
    if number + 1 < len(items):
        return Splice(source.start(item), source.start(items[number + 1]), "")
    if number:
        return Splice(source.end(items[number - 1]), source.end(item), "")
    return Splice(source.start(item), source.end(item) + _comma(source, call, item), "")


def _comma(source: Source, call: ast.Call, item: ast.AST) -> int:
    rest = source.between(source.end(item), source.end(call))
    return len(rest) - len(rest.lstrip(" ,")) if rest.lstrip().startswith(",") else 0


def appended(source: Source, call: ast.Call, text: str) -> Splice:
    """Add an argument at the end of a call."""
    items: list[ast.AST] = sorted([*call.args, *call.keywords], key=source.start)
    if not items:
        place = source.end(call) - 1
        return Splice(place, place, text)
    last = items[-1]
    # a generator as the only argument needs parentheses of its own once a second argument follows
    if isinstance(last, ast.GeneratorExp) and len(items) == 1:
        return Splice(source.start(last), source.end(last), f"({source.segment(last)}), {text}")
    return Splice(source.end(last), source.end(last), f", {text}")
