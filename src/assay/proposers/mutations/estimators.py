"""Estimators swapped for others of the same role, with the import that needs."""

import random
from collections.abc import Iterator, Sequence

from assay.proposers.mutations.calls import EstimatorCall, can_stand_for, estimator_calls
from assay.proposers.mutations.catalogue import Estimator, alike
from assay.proposers.mutations.site import Edit, Site, Trial, place, replacement, tried
from assay.proposers.mutations.source import Source


def sites(source: Source) -> Iterator[Site]:
    """One site an estimator for which another can stand. Several calls of it in one file change together."""
    calls: dict[str, list[EstimatorCall]] = {}
    for call in estimator_calls(source):
        calls.setdefault(call.estimator.name, []).append(call)
    for name, group in calls.items():
        others = [e for e in alike(group[0].estimator) if can_stand_for(source, group[0].estimator, e)]
        if others:
            yield _swap(source, name, group, others)


def _swap(source: Source, name: str, group: list[EstimatorCall], others: list[Estimator]) -> Site:
    role = group[0].estimator.role
    site = place(f"the {role}", source.where(group[0].node) if len(group) == 1 else "")

    def make(rng: random.Random, trials: Sequence[Trial]) -> Edit | None:
        fresh = [e for e in others if e.name not in tried(trials)]
        if not fresh:
            return None
        new = rng.choice(fresh)
        splices = [source.replace(call.node, _spelled(source, call, new)) for call in group]
        return Edit(replacement(name, new.name), (*splices, *source.import_splice(new.module, new.name)))

    return Site("estimator", site, f"use another {role} than {name} in {source.where(group[0].node)}", make)


def _spelled(source: Source, call: EstimatorCall, new: Estimator) -> str:
    """The new call: it keeps the arguments that both estimators know and mean alike."""
    kept = []
    for name, keyword in call.keywords.items():
        shared = name == "random_state" or (
            name in new.arguments and name in call.estimator.arguments and _same_meaning(call.estimator, new, name)
        )
        if shared and name in new.accepts:
            kept.append(f"{name}={source.segment(keyword.value)}")
    return f"{new.name}({', '.join(kept)})"


def _same_meaning(old: Estimator, new: Estimator, argument: str) -> bool:
    """`loss` and `learning_rate` are words in one estimator and numbers in the next: compare the kind of value."""
    return (old.arguments[argument].default[:1] in "'\"") == (new.arguments[argument].default[:1] in "'\"")
