"""What a family of edits offers: places in a source, and what was learnt at each of them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from assay.proposers.mutations.source import Splice

Family = Literal["number", "choice", "argument", "estimator", "pipeline", "array", "column", "statement", "operator"]
Verdict = Literal["better", "same", "worse", "failed"]
ARROW = " → "


@dataclass(frozen=True)
class Trial:
    """One earlier edit of a site and how the candidate that had it compares with its parent."""

    change: str
    verdict: Verdict


@dataclass(frozen=True)
class Edit:
    """A change of one source, with the words that describe it exactly."""

    change: str
    splices: tuple[Splice, ...]


@dataclass(frozen=True)
class Site:
    """A place that can be edited.

    `name` is the same for the same place in every candidate of a run, as long as the code around it is: what was learnt
    there goes by it. `make` draws an edit, or None if there is none left worth a try; it is a pure function of its
    arguments.
    """

    family: Family
    name: str
    idea: str
    """The edit as an intention, before a value is chosen: `change the learning rate`."""
    make: Callable[[random.Random, Sequence[Trial]], Edit | None]
    weight: float = 1.0
    """How promising the place looks before anything is known, relative to others of its family."""


def replacement(before: str, after: str) -> str:
    """The words for a change of one value."""
    return f"{before}{ARROW}{after}"


def tried(trials: Sequence[Trial]) -> frozenset[str]:
    """The values already tried at a site."""
    return frozenset(t.change.rpartition(ARROW)[2] for t in trials)


def place(what: str, where: str) -> str:
    """The name of a site: what, and in which function. Free of the marks that part a description."""
    name = f"{what} in {where}" if where else what
    return " ".join(name.replace(";", ",").replace(":", " ").split())


def vocabulary(words: str) -> frozenset[str]:
    """A set of words, written as one text."""
    return frozenset(words.split())
