"""What evolution keeps: programs, islands with a grid of features, an archive of elites, and a measure of diversity."""

import random
from bisect import insort
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.embedding.tokens import Tokens
from assay.strategies.request import Step
from assay.tasks.candidate import Candidate

Features = tuple[float, ...]
Cell = tuple[int, ...]
NEARBY = 2
"""Bins to either side that count as neighbouring cells."""


@dataclass(frozen=True, eq=False)
class Program:
    """A step in the population."""

    step: Step
    worth: float
    """Its value, turned so that larger is better."""
    generation: int
    debug_depth: int = 0
    """Attempts to mend it so far, counting the change that broke it."""
    features: Features = ()
    """Characters of code, and diversity when it came in."""

    @property
    def index(self) -> int:
        return self.step.index

    @property
    def digest(self) -> str:
        return self.step.candidate.digest


class Scales:
    """The range of each feature seen so far, in equal bins. `version` changes with the range: cells are then stale."""

    def __init__(self, bins: int) -> None:
        self._bins = bins
        self._low: list[float] = []
        self._high: list[float] = []
        self.version = 0

    def widen(self, features: Features) -> None:
        low = [min(pair) for pair in zip(self._low, features, strict=True)] if self._low else list(features)
        high = [max(pair) for pair in zip(self._high, features, strict=True)] if self._high else list(features)
        if (low, high) != (self._low, self._high):
            self._low, self._high = low, high
            self.version += 1

    def cell(self, features: Features) -> Cell:
        return tuple(
            min(int(self._bins * (x - low) / (high - low)), self._bins - 1) if high > low else 0
            for x, low, high in zip(features, self._low, self._high, strict=True)
        )


class Island:
    """Programs that breed with each other; the best of each cell are its elites."""

    def __init__(self, number: int, scales: Scales) -> None:
        self.number = number
        self.programs: dict[str, Program] = {}
        """By digest: equal programs count once."""
        self.broken: list[Program] = []
        """Waiting to be mended."""
        self._natives: set[str] = set()
        self._ranked: list[Program] = []
        """Best first, the earlier one first among equals."""
        self._scales = scales
        self._grid: dict[Cell, Program] = {}
        self._grid_version = -1

    def add(self, program: Program, native: bool = True) -> bool:
        """Take in a program; whether it was new here."""
        if program.digest in self.programs:
            return False
        self.programs[program.digest] = program
        insort(self._ranked, program, key=_rank)
        if native:
            self._natives.add(program.digest)
        if self._grid_version == self._scales.version:
            self._place(program)
        return True

    def elites(self) -> list[Program]:
        """The best program of each occupied cell, in the order in which cells were first occupied."""
        return list(self._current_grid().values())

    def best(self, count: int) -> list[Program]:
        """The best programs of the island, best first, the earlier one first among equals."""
        return self._ranked[:count]

    def emigrants(self, rate: float) -> list[Program]:
        """The best of those that were born here."""
        natives = [program for program in self._ranked if program.digest in self._natives]
        return natives[: max(1, int(len(self.programs) * rate))]

    def inspirations(self, parent: Program, count: int, elite_share: float, rng: random.Random) -> list[Program]:
        """Other programs to draw upon: some of the best, then elites of nearby cells, then any."""
        elite = min(count, max(1, int(count * elite_share)))
        chosen = [program for program in self.best(elite + 1) if program.digest != parent.digest][:elite]
        home = self._scales.cell(parent.features)
        grid = self._current_grid()
        near = [p for cell, p in grid.items() if all(abs(a - b) <= NEARBY for a, b in zip(cell, home, strict=True))]
        for pool in (near, list(self.programs.values())):
            fresh = [program for program in pool if program.digest != parent.digest and program not in chosen]
            chosen += rng.sample(fresh, min(len(fresh), count - len(chosen)))
        return chosen

    def _current_grid(self) -> dict[Cell, Program]:
        """The grid on the present scale: drawn anew from all programs when the scale has changed."""
        if self._grid_version != self._scales.version:
            self._grid = {}
            self._grid_version = self._scales.version
            for program in self.programs.values():
                self._place(program)
        return self._grid

    def _place(self, program: Program) -> None:
        cell = self._scales.cell(program.features)
        holder = self._grid.get(cell)
        if holder is None or program.worth > holder.worth:
            self._grid[cell] = program


@dataclass
class Archive:
    """The best programs of all islands, each once, best first."""

    size: int
    programs: list[Program] = field(default_factory=list)

    def add(self, program: Program) -> None:
        if any(program.digest == other.digest for other in self.programs):
            return
        insort(self.programs, program, key=_rank)
        del self.programs[self.size :]


def _rank(program: Program) -> tuple[float, int]:
    return -program.worth, program.index


class References:
    """A few programs that differ much from each other. Diversity is the mean cosine distance to them.

    Kept incrementally: a newcomer takes the place of one of the closest pair if it is farther from all than they are.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._embedder = Tokens()
        self._vectors = np.zeros((0, self._embedder.dimensions), np.float32)

    def measure(self, candidate: Candidate) -> tuple[float, NDArray[np.float32]]:
        """Diversity (one half while there is nothing to compare with) and the vector it was measured on."""
        vector = self._embedder.embed([candidate.code])[0]
        return (float(np.mean(1 - self._vectors @ vector)) if len(self._vectors) else 0.5), vector

    def offer(self, vector: NDArray[np.float32]) -> None:
        if len(self._vectors) < self._size:
            self._vectors = np.vstack([self._vectors, vector])
            return
        likeness = self._vectors @ self._vectors.T
        np.fill_diagonal(likeness, -1)
        nearest = self._vectors @ vector
        if nearest.max() < likeness.max():
            self._vectors[int(np.argmax(likeness.max(axis=1)))] = vector
