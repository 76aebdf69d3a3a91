"""AdaptiveSearch: hill climbing until it stagnates, then a few branches that explore or refine as their traces say."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from assay.embedding.registry import open_embedder
from assay.strategies.autoresearch import climb
from assay.strategies.base import AnyParams, Params, Part, Search, Setting, Strategy
from assay.strategies.memory import phrase
from assay.strategies.request import Ask, Request, RequestKind, Step
from assay.strategies.trace import effective_dimension, rewrite_distance

FARTHER = (
    "This branch stagnates close to the baseline. Use a different mechanism or formulation that touches a substantial "
    "part of the code; tuning values does not count."
)
CLOSER = "This branch stagnates while it scatters. Refine within the family of its most successful attempts."
DEEPER = (
    "This branch stagnates close to the baseline while it scatters. Take its most promising direction and carry it "
    "further with a deeper change."
)


class AdaptiveSearchParams(Params):
    """Windows follow the budget unless they are given. `fmlbench` has them as published, made for 100 steps."""

    max_debug_retries: int = Field(3, ge=1)
    """Consecutive failures that end an idea."""
    p1_window: int | None = Field(None, ge=1)
    """Steps over which the climb is watched; None for half of the budget."""
    p1_epsilon: float = Field(0.0005, ge=0)
    """The climb stagnates when the normalised improvement a step over the window is no more than this."""
    A_freq_window: int | None = Field(None, ge=1)
    """Attempts of a branch that rule A looks back on; None for half of a branch's share of the steps left."""
    A_freq_max: int | None = Field(None, ge=0)
    """Rule A holds while at most this many of them were kept; None for a tenth."""
    A_reach_norm_max: float = Field(0.30, ge=0)
    """Rule A holds while the branch reached at most this far, in units of a rewrite of the task's own code."""
    B_freq_window: int | None = Field(None, ge=1)
    """As for rule A; None for a quarter of a branch's share."""
    B_freq_max: int | None = Field(None, ge=0)
    """As for rule A; None for a tenth."""
    B_effdim_min: float = Field(1.25, ge=1)
    """Rule B holds while the attempts spread in at least this many directions."""
    branch_skip_max: int = Field(3, ge=0)
    """With no more steps left than this, the climb goes on."""
    branch_cutoff_1: int = Field(15, ge=0)
    """With no more steps left than this, there is one branch."""
    branch_cutoff_2: int = Field(30, ge=0)
    """With no more steps left than this, there are two branches; with more, three."""
    embedder: str = "tokens"
    """What distances between programs are measured with. Any other than the built-in one loads a model."""

    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "fmlbench": {
            "p1_window": 50,
            "A_freq_window": 20,
            "A_freq_max": 2,
            "B_freq_window": 5,
            "B_freq_max": 2,
        }
    }


@dataclass
class Branch:
    """One line of search in the second phase, with its own incumbent."""

    name: str
    incumbent: Step
    attempts: int = 0
    kept: list[bool] = field(default_factory=list)
    """For each idea that was worked through: whether it was kept."""
    vectors: list[NDArray[np.float32]] = field(default_factory=list)
    """Where its attempts were, the failed ones too."""
    first_idea: str = ""
    idea: str = ""
    failures: int = 0
    """Consecutive failures of the present idea."""
    broken: Step | None = None
    """What is to be mended next."""


@dataclass(frozen=True)
class Windows:
    """How far back rules A and B look, and how many kept attempts still count as stagnation."""

    a: int
    a_max: int
    b: int
    b_max: int


class AdaptiveSearch(Strategy):
    """Climb as autoresearch does. When improvement over a window of steps is too small, branch once and for all.

    Branches start from good programs that differ from each other and go on in turn, one step each a round, a round
    being one batch. A branch that stagnates near the baseline (rule A) drafts anew from its incumbent; one that
    stagnates while its attempts scatter (rule B) tunes; where both hold it makes one deeper improvement. Distances are
    measured in units that come from the task: how far apart the two halves of its own baseline code are.
    """

    name = "adaptive_search"
    summary = "hill climbing that branches when it stagnates, and adapts each branch to its trace"
    Params: ClassVar[type[Params]] = AdaptiveSearchParams

    def __init__(self, params: AnyParams, setting: Setting) -> None:
        super().__init__(params, setting)
        self.embedder = open_embedder(self.params.embedder)
        self.window: int = self.params.p1_window or max(1, setting.steps // 2)

    def notes(self) -> tuple[str, ...]:
        needed = self.window + self.params.branch_skip_max + 1
        if self.setting.steps >= needed:
            return ()
        return (
            f"cannot branch within {self.setting.steps} steps and will do as autoresearch does: "
            f"with a window of {self.window} it needs at least {needed}",
        )

    def search(self, start: Step) -> Search:
        self.memory.add(start)
        self.origin = self.vector(start)
        self.unit = rewrite_distance(start.candidate.code, self.embedder)
        yield from self.climb_until_stagnant(start)
        branches = self.branch_out(start)
        windows = self.windows(len(branches))
        while True:
            yield from self.round(branches, windows)

    def climb_until_stagnant(self, start: Step) -> Part[None]:
        """The first phase. Does not end while too few steps are left to branch."""
        incumbent = start
        curve = [0.0]
        assert start.value is not None
        while not self.stagnant(curve) or self.left <= self.params.branch_skip_max:
            step = yield from climb(self, incumbent)
            if self.better(step, incumbent):
                incumbent = step
            assert incumbent.value is not None
            gain = self.setting.metric.improvement(incumbent.value, start.value)
            # an idea may have taken several steps; all but its last ended where the one before it did
            curve += [curve[-1]] * (len(self.memory) - len(curve) - 1) + [gain]

    def stagnant(self, curve: list[float]) -> bool:
        """Whether the curve, one entry a step from the baseline on, rose too little over the last window."""
        if len(curve) <= self.window:
            return False
        return (curve[-1] - curve[-1 - self.window]) / self.window <= float(self.params.p1_epsilon)

    @property
    def left(self) -> int:
        """Steps that remain of the budget."""
        return self.setting.steps - (len(self.memory) - 1)

    def branch_out(self, start: Step) -> list[Branch]:
        """Branches from the best program and from good ones that are far from it and from each other.

        Good are the better half of all successful steps. Where there are too few, branches start from the baseline.
        """
        cutoffs = (self.params.branch_cutoff_1, self.params.branch_cutoff_2)
        count = 1 + sum(self.left > cutoff for cutoff in cutoffs)
        ranked = [self.memory[i] for i in self.memory.ranked() if not self.better(start, self.memory[i])]
        pool = {step.candidate.digest: step for step in reversed(ranked[: max(count, len(ranked) // 2)])}
        places = {digest: self.vector(step) for digest, step in pool.items()}
        chosen: list[str] = [ranked[0].candidate.digest]
        while len(chosen) < min(count, len(pool)):
            distances = {
                digest: min(float(np.linalg.norm(place - places[other])) for other in chosen)
                for digest, place in places.items()
                if digest not in chosen
            }
            chosen.append(max(distances, key=lambda digest: distances[digest]))
        parents = [pool[digest] for digest in chosen] + [start] * (count - len(chosen))
        return [Branch(f"branch {number}", parent) for number, parent in enumerate(parents, 1)]

    def windows(self, branches: int) -> Windows:
        share = max(1, self.left // branches)
        a = self.params.A_freq_window or max(2, share // 2)
        b = self.params.B_freq_window or max(2, share // 4)
        a_max, b_max = self.params.A_freq_max, self.params.B_freq_max
        return Windows(a, a // 10 if a_max is None else a_max, b, b // 10 if b_max is None else b_max)

    def round(self, branches: list[Branch], windows: Windows) -> Part[None]:
        """One step of every branch."""
        requests: list[Request] = []
        for branch in branches:
            requests.append((yield from self.request(branch, branches, windows)))
        steps = yield from self.attempts(requests)
        for branch, step in zip(branches, steps, strict=True):
            self.learn(branch, step)

    def request(self, branch: Branch, branches: list[Branch], windows: Windows) -> Part[Request]:
        """Mend what is broken, or ask for an idea that heeds the branch's trace and implement it."""
        memory = self.memory.history()
        if branch.broken is not None:
            return Request(
                kind="debug", parents=(branch.broken.index,), idea=branch.idea, memory=memory, origin=branch.name
            )
        kind, guidance = self.adapt(branch, windows)
        if not branch.attempts:
            taken = [f"- {phrase(other.first_idea)}" for other in branches if other.first_idea]
            if taken:
                guidance = "\n".join(
                    ["Other branches begin with these; use another mechanism than all of them:", *taken]
                )
        parents = (branch.incumbent.index,)
        texts = yield from self.ask(Ask(kind="ideate", steps=parents, guidance=guidance, memory=memory))
        branch.idea = texts[0] if texts else ""
        branch.first_idea = branch.first_idea or branch.idea
        return Request(
            kind=kind, parents=parents, idea=branch.idea, guidance=guidance, memory=memory, origin=branch.name
        )

    def adapt(self, branch: Branch, windows: Windows) -> tuple[RequestKind, str]:
        """The kind of the next request and the hint that goes with it, by rules A and B."""
        if len(branch.kept) < min(windows.a, windows.b):
            return "improve", ""
        rows = np.stack(branch.vectors) - self.origin
        reach = float(np.linalg.norm(rows, axis=1).max())
        near = reach <= self.params.A_reach_norm_max * self.unit
        scattered = effective_dimension(rows) >= self.params.B_effdim_min
        explore = near and sum(branch.kept[-windows.a :]) <= windows.a_max
        refine = scattered and sum(branch.kept[-windows.b :]) <= windows.b_max
        if explore and refine:
            return "improve", DEEPER
        return ("draft", FARTHER) if explore else ("tune", CLOSER) if refine else ("improve", "")

    def learn(self, branch: Branch, step: Step) -> None:
        """Keep, discard, or have it mended: as autoresearch, against the branch's own incumbent."""
        branch.attempts += 1
        branch.vectors.append(self.vector(step))
        branch.broken = None
        if step.buggy:
            branch.failures += 1
            if branch.failures < self.params.max_debug_retries:
                branch.broken = step
                return
        keep = self.better(step, branch.incumbent)
        branch.incumbent = step if keep else branch.incumbent
        branch.kept.append(keep)
        branch.failures = 0

    def vector(self, step: Step) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = self.embedder.embed([step.candidate.code])[0]
        return vector
