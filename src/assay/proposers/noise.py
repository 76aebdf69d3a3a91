"""The proposer without ideas: the baseline and the task's probes, with other random numbers in them."""

import ast
import random
from collections.abc import Iterator

from assay.proposers.base import Proposal, View
from assay.proposers.mutations.source import Source, Splice, read
from assay.strategies.request import Answer, Ask, Request
from assay.tasks.candidate import Candidate

GENERATORS = frozenset({"default_rng", "RandomState", "Random", "seed", "manual_seed"})
"""Calls whose first argument is the seed of a generator."""
SEEDS = frozenset({"random_state", "seed"})
"""Arguments that are seeds by their name."""
NO_NUMBERS = (ast.List, ast.Tuple, ast.Starred)


class NoiseProposer:
    """Answers every request with noise, whatever came of the steps before. For the agent `noise`.

    The baseline and the probes take turns, so that changing nothing but the dice is tried as often as each probe.
    """

    def propose(self, request: Request, view: View) -> Proposal:
        known = {"baseline": view.task.baseline, **view.task.probes}
        name = list(known)[view.moment % len(known)]
        shift = random.Random(f"{view.seed}/{view.moment}").randrange(1, 10**6)
        files = {
            path: reseeded(text, shift) if path.endswith(".py") else text for path, text in known[name].files.items()
        }
        return Proposal(candidate=Candidate(files=files), description=f"{name} with other random numbers")

    def answer(self, ask: Ask, view: View) -> Answer:
        return Answer()


def reseeded(text: str, shift: int) -> str:
    """A source with every seed shifted, and a comment that makes it new where there is none."""
    source = read(text)
    shifted = source.spliced(_splices(source, shift)) if source else text
    return f"{shifted.rstrip()}\n# random numbers {shift}\n"


def _splices(source: Source, shift: int) -> Iterator[Splice]:
    end = -1
    for seed in sorted(_seeds(source), key=source.start):
        # a seed inside another is shifted with it
        if source.start(seed) > end:
            end = source.end(seed)
            yield source.replace(seed, f"({source.segment(seed)}) + {shift}")


def _seeds(source: Source) -> Iterator[ast.expr]:
    """Every expression that is the seed of a generator, but for `None` and lists, to which no number can be added."""
    for node in source.nodes:
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            first = node.args[:1] if called in GENERATORS else []
            named = [word.value for word in node.keywords if word.arg in SEEDS]
            yield from (seed for seed in (*first, *named) if not isinstance(seed, NO_NUMBERS) and not _is_none(seed))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
