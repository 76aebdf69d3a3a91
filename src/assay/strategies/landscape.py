"""Synthetic research problems with a known optimum, on which a strategy runs without any model or process.

A program is a list of choices between two options, written as a small Python file so that diffs and embeddings mean
something. A proposer that knows nothing changes choices at random, more of them for a draft than for an improvement; a
change may break the program, and a fix mends it most of the time. The landscapes are the textbook ones for searches
over bits and differ in what a choice is worth:

- dense: every right choice pays at once, so that better programs are all around (OneMax);
- sparse: choices pay only when a whole group of them is right, so that most changes do nothing (Royal Road);
- deceptive: short of the whole group, wrong choices pay more than right ones (concatenated traps);
- noisy: dense, measured with an error.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from assay.strategies.request import Answer, Ask, Request, Step
from assay.tasks.candidate import Candidate
from assay.tasks.outcome import Outcome
from assay.tasks.spec import Metric

Kind = Literal["dense", "sparse", "deceptive", "noisy"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Choices = tuple[int, ...]
LETTERS = "abcdefgh"
"""A choice is a letter in the text of its group, or none: programs differ in length as real ones do."""
BROKEN = "raise RuntimeError"


@dataclass(frozen=True)
class Shape:
    """The size of a landscape and the habits of its proposer."""

    choices: int = 24
    group: int = 4
    """Choices that belong together."""
    given: float = 0.25
    """Share of the choices that are right in the baseline, which is poor and not absurd."""
    crash: float = 0.15
    """Probability that a change breaks a working program."""
    mend: float = 0.7
    """Probability that a debug request mends a broken one."""
    noise: float = 0.05
    """Standard deviation of the measurement on the noisy landscape; the optimum is 1."""
    redraft: float = 0.3
    """Share of the choices that a draft or a combination changes; any other change touches one to three."""


@dataclass(frozen=True)
class Point:
    """What a step's program is behind its text."""

    choices: Choices
    broken: bool


class Landscape:
    """One problem and its proposer; a World for `drive`. Its optimum is 1."""

    optimum = 1.0

    def __init__(self, kind: Kind, seed: int, shape: Shape | None = None) -> None:
        self.kind = kind
        self.shape = shape or Shape()
        self.metric = Metric(name="quality", direction="max", best=self.optimum)
        self._seed = seed
        rng = random.Random(f"landscape/{kind}/{seed}")
        self.right: Choices = tuple(rng.randrange(2) for _ in range(self.shape.choices))
        choices = tuple(right if rng.random() < self.shape.given else 1 - right for right in self.right)
        self._baseline = Point(choices, broken=False)
        self._points: dict[str, Point] = {}
        """By the text of the program."""
        self._measured: dict[Choices, float] = {}

    def start(self) -> Step:
        point = self._baseline
        return Step(index=0, request=None, candidate=self._candidate(point), outcome=self._outcome(point))

    def step(self, request: Request, steps: Sequence[Step], index: int) -> Step:
        rng = random.Random(self._seed * 1_000_003 + index)
        parent, *others = (self.point(steps[p].candidate) for p in request.parents)
        point = self._propose(request.kind, parent, others, rng)
        nothing = point == parent and request.kind != "repeat"
        outcome = Outcome(kind="no_change", blame="agent") if nothing else self._outcome(point)
        changed = sum(a != b for a, b in zip(parent.choices, point.choices, strict=True))
        return Step(
            index=index,
            request=request,
            candidate=self._candidate(point),
            description=f"{changed} choices changed",
            outcome=outcome,
        )

    def answer(self, ask: Ask, steps: Sequence[Step]) -> Answer:
        """Nothing: on a landscape there are no words."""
        return Answer()

    def true_value(self, step: Step) -> float:
        """The value of a step's program without measurement error."""
        return self.quality(self.point(step.candidate).choices)

    def point(self, candidate: Candidate) -> Point:
        """What a program written by `_candidate` means."""
        text = candidate.files["program.py"]
        if text not in self._points:
            groups = [line.partition(" = ")[2] for line in text.splitlines() if line != BROKEN]
            choices = tuple(int(letter in group) for group in groups for letter in LETTERS[: self.shape.group])
            self._points[text] = Point(choices, broken=text.endswith(BROKEN))
        return self._points[text]

    def quality(self, choices: Choices) -> float:
        """Between 0 and 1, larger is better."""
        right = [a == b for a, b in zip(choices, self.right, strict=True)]
        if self.kind in ("dense", "noisy"):
            return sum(right) / len(right)
        groups = [sum(right[i : i + self.shape.group]) for i in range(0, len(right), self.shape.group)]
        return sum(self._pay(g) for g in groups) / len(groups)

    def _pay(self, right: int) -> float:
        if right == self.shape.group:
            return 1.0
        return 0.0 if self.kind == "sparse" else 0.6 * (self.shape.group - 1 - right) / (self.shape.group - 1)

    def _propose(self, kind: str, parent: Point, others: list[Point], rng: random.Random) -> Point:
        if kind == "repeat":
            return parent
        if kind == "debug":
            return Point(parent.choices, broken=parent.broken and rng.random() >= self.shape.mend)
        choices = list(parent.choices)
        sources = [self._baseline] if kind == "ablate" else others
        changes = round(self.shape.redraft * len(choices)) if kind in ("draft", "combine") else rng.randint(1, 3)
        for _ in range(changes):
            # other programs in view are drawn upon as often as not
            source = rng.choice(sources).choices if sources and (kind == "ablate" or rng.random() < 0.5) else choices
            differing = [i for i, choice in enumerate(source) if choice != choices[i]]
            if differing:
                i = rng.choice(differing)
                choices[i] = source[i]
            elif kind != "ablate":
                i = rng.randrange(len(choices))
                choices[i] = 1 - choices[i]
        return Point(tuple(choices), broken=parent.broken or rng.random() < self.shape.crash)

    def _outcome(self, point: Point) -> Outcome:
        if point.broken:
            return Outcome(kind="crashed", blame="agent", message="the program is broken")
        value = self._measured.get(point.choices)
        if value is None:
            value = self.quality(point.choices)
            if self.kind == "noisy":
                value += random.Random(f"{self._seed}/{point.choices}").gauss(0, self.shape.noise)
            self._measured[point.choices] = value
        return Outcome(kind="ok", value=value)

    def _candidate(self, point: Point) -> Candidate:
        size = self.shape.group
        groups = [point.choices[i : i + size] for i in range(0, len(point.choices), size)]
        names = ["".join(LETTERS[i] for i, choice in enumerate(group) if choice) for group in groups]
        lines = [f"group_{number} = '{name}'" for number, name in enumerate(names)]
        return Candidate(files={"program.py": "\n".join([*lines, BROKEN] if point.broken else lines)})
