"""Keyword arguments of known estimators: added, changed and removed."""

import ast
import random
from collections.abc import Iterator, Sequence

from assay.proposers.mutations.calls import EstimatorCall, appended, estimator_calls, without
from assay.proposers.mutations.catalogue import Argument
from assay.proposers.mutations.site import Edit, Site, Trial, place, replacement, tried
from assay.proposers.mutations.source import Source


def sites(source: Source) -> Iterator[Site]:
    """One site an argument. Numbers and booleans that are written out belong to their own families."""
    for call in estimator_calls(source):
        if any(k.arg is None for k in call.node.keywords):
            continue
        positional = list(call.estimator.arguments)[: len(call.node.args)]
        for argument in call.estimator.arguments.values():
            written = call.keywords.get(argument.name)
            if written is not None:
                if not _plain_number_or_flag(written.value):
                    yield _changing(source, call, argument, written)
                yield _removing(source, call, argument, written)
            elif argument.name not in positional:
                yield _adding(source, call, argument)


def _plain_number_or_flag(value: ast.AST) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, bool | int | float)


def _site_name(source: Source, call: EstimatorCall, argument: Argument) -> str:
    return place(f"{argument.name} of {call.estimator.name}", source.where(call.node))


def _adding(source: Source, call: EstimatorCall, argument: Argument) -> Site:
    name = _site_name(source, call, argument)

    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        fresh = [v for v in argument.values if v not in tried(trials)]
        if not fresh:
            return None
        value = rng.choice(fresh)
        change = replacement(argument.default, value)
        return Edit(change, (appended(source, call.node, f"{argument.name}={value}"),))

    return Site("argument", name, f"set {name}", make, argument.weight)


def _changing(source: Source, call: EstimatorCall, argument: Argument, written: ast.keyword) -> Site:
    name = _site_name(source, call, argument)
    before = " ".join(source.segment(written.value).split())

    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        options = [v for v in (argument.default, *argument.values) if v != before and v not in tried(trials)]
        if not options:
            return None
        value = rng.choice(options)
        return Edit(replacement(before, value), (source.replace(written.value, value),))

    # a name is a setting made elsewhere, and can be changed there
    weight = argument.weight * (1.0 if isinstance(written.value, ast.Constant) else 0.3)
    return Site("argument", name, f"choose another {name}", make, weight)


def _removing(source: Source, call: EstimatorCall, argument: Argument, written: ast.keyword) -> Site:
    name = _site_name(source, call, argument)
    before = " ".join(source.segment(written.value).split())

    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        if before == argument.default or argument.default in tried(trials):
            return None
        return Edit(replacement(before, f"default {argument.default}"), (without(source, call.node, written),))

    return Site("argument", name, f"remove {name}", make, 0.4)
