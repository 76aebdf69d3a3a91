"""The offline proposer: it edits the syntax tree and needs no model at all.

It is the embedded default and the control group: an agent that cannot beat it has shown nothing. It learns within a
run, from the outcomes of the steps it is shown, and keeps no state of its own.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from assay.proposers.base import Proposal, View
from assay.proposers.mutations import (
    arguments,
    arrays,
    choices,
    columns,
    estimators,
    merge,
    numbers,
    operators,
    pipelines,
    statements,
)
from assay.proposers.mutations.experience import Experience, describe, learn, working_ancestor
from assay.proposers.mutations.site import Family, Site
from assay.proposers.mutations.source import defined_names, read
from assay.strategies.request import Answer, Ask, Request, RequestKind, Step
from assay.tasks.candidate import Candidate
from assay.tasks.outcome import Outcome
from assay.tasks.spec import TaskSpec

Files = Mapping[str, str]

FAMILIES = (numbers, choices, arguments, estimators, pipelines, arrays, columns, statements, operators)
IMPROVE: dict[Family, float] = {
    "number": 5.0,
    "choice": 1.2,
    "argument": 2.0,
    "estimator": 1.2,
    "pipeline": 1.0,
    "array": 1.5,
    "column": 1.0,
    "statement": 0.7,
    "operator": 0.8,
}
APPETITE: dict[RequestKind, dict[Family, float]] = {
    "draft": {**IMPROVE, "estimator": 2.0, "pipeline": 1.5, "array": 2.5, "statement": 0.3, "operator": 0.3},
    "tune": {"number": 6.0, "choice": 2.0, "argument": 2.0},
    "ablate": {"statement": 3.0, "column": 3.0, "choice": 1.0, "argument": 1.0},
}
"""How often each family is drawn, by the kind of request; `improve` for those not named."""
EDITS: dict[RequestKind, tuple[int, ...]] = {"draft": (1, 2, 2, 3), "ablate": (1,), "tune": (1, 1, 2)}
"""How many edits a proposal has: one of these by lot."""
USUAL_EDITS = (1, 1, 1, 2)
ATTEMPTS = 30
"""How often another edit is drawn when one leads to code that is invalid or was tried before."""


@dataclass(frozen=True)
class _Beginning:
    """The code that is edited, what was already done to it, and the words for that."""

    files: Files
    notes: tuple[str, ...] = ()


class OfflineProposer:
    """Deterministic in (request, view). Every candidate is valid Python, defines what the task requires, and is new
    to the run; where none is found after many tries, the proposal is the failure `no_change`."""

    def propose(self, request: Request, view: View) -> Proposal:
        rng = random.Random(f"{view.seed}/{view.moment}/{request!r}")
        spec = view.task.spec
        editor = _Editor(spec, learn(view.steps, spec.metric), {step.candidate.digest for step in view.steps}, rng)
        # an idea that failed is not worth all the tries that are left: mend it or turn to another, by lot
        idea = request.idea if request.kind != "debug" or rng.random() < 0.5 else ""
        for attempt in range(ATTEMPTS):
            beginning = _beginning(request, view.steps, rng)
            # a merge or a repair is a proposal by itself; it is edited further only where it leads to nothing new
            found = editor.finished(beginning.files, beginning.notes) if beginning.notes else None
            found = found or editor.edited(beginning, request.kind, idea if attempt < ATTEMPTS // 3 else "")
            if found is not None:
                return found
        message = "no edit of the syntax tree was found that the run has not tried"
        return Proposal(candidate=None, failure=Outcome(kind="no_change", blame="agent", message=message))

    def answer(self, ask: Ask, view: View) -> Answer:
        """Ideas that name real sites, and a sentence on each step. Plans and second thoughts it has none."""
        steps = [view.steps[i] for i in ask.steps if 0 <= i < len(view.steps)] or [view.steps[0]]
        if ask.kind == "ideate":
            rng = random.Random(f"{view.seed}/{view.moment}/{ask!r}")
            return Answer(texts=_ideas(steps[0], ask, learn(view.steps, view.task.spec.metric), rng))
        if ask.kind in ("analyse", "summarise"):
            return Answer(texts=tuple(_remark(step, view) for step in steps))
        return Answer()


def _beginning(request: Request, steps: Sequence[Step], rng: random.Random) -> _Beginning:
    """Where editing starts: a parent, two parents merged, or a failed parent with part of its change taken back."""
    parents = [steps[i] for i in request.parents if 0 <= i < len(steps)] or [steps[0]]
    first = parents[0]
    if request.kind == "debug" and not first.ok:
        return _repaired(first, working_ancestor(first, steps), rng)
    if len(parents) > 1 and request.kind == "combine":
        return _combined(first, rng.choice(parents[1:]), steps[0], rng)
    while not _readable(first.candidate.files) and first.index > 0:
        first = working_ancestor(first, steps)
    return _Beginning(first.candidate.files)


def _readable(files: Files) -> bool:
    return all(read(text) is not None for path, text in files.items() if path.endswith(".py"))


def _repaired(failed: Step, sound: Step, rng: random.Random) -> _Beginning:
    """Half of a failed change, if it has parts; else the code from before, for another edit."""
    files = dict(sound.candidate.files)
    changes = {path: merge.hunks(files[path], failed.candidate.files.get(path, files[path])) for path in files}
    parts = [(path, hunk) for path, found in changes.items() for hunk in found if not hunk.only_imports]
    if len(parts) < 2:
        return _Beginning(files)
    undone = rng.sample(parts, rng.randint(1, len(parts) - 1))
    for path, found in changes.items():
        files[path] = merge.applied(files[path], [hunk for hunk in found if (path, hunk) not in undone])
    if not _readable(files):
        return _Beginning(sound.candidate.files)
    return _Beginning(files, (f"took back {len(undone)} of {len(parts)} changes of step {failed.index}",))


def _combined(first: Step, second: Step, base: Step, rng: random.Random) -> _Beginning:
    """What each of two candidates changed against the baseline, in one."""
    files: dict[str, str] = {}
    notes: list[str] = []
    for path, original in base.candidate.files.items():
        mine = merge.hunks(original, first.candidate.files.get(path, original))
        theirs = merge.hunks(original, second.candidate.files.get(path, original))
        kept, taken = merge.united(mine, theirs, rng)
        files[path] = merge.applied(original, [*kept, *taken])
        for step, changes in ((first, kept), (second, taken)):
            if changes:
                notes.append(f"took from step {step.index} its change of {merge.places(original, changes)}")
    if not _readable(files):
        return _Beginning(first.candidate.files)
    return _Beginning(files, tuple(notes) or (f"merged steps {first.index} and {second.index}",))


@dataclass(frozen=True)
class _Editor:
    """Draws edits for one request."""

    spec: TaskSpec
    experience: Experience
    seen: set[str]
    """Digests of the candidates the run already has."""
    rng: random.Random
    spent: set[str] = field(default_factory=set)
    """Names of sites that had nothing more to offer."""

    def edited(self, beginning: _Beginning, kind: RequestKind, idea: str) -> Proposal | None:
        """Draw edits and apply them one after the other. None if nothing new and valid came of it."""
        files = dict(beginning.files)
        appetite = APPETITE.get(kind, IMPROVE)
        edits: list[tuple[str, str]] = []
        for _ in range(self.rng.choice(EDITS.get(kind, USUAL_EDITS))):
            done = {site for site, _ in edits}
            pool = [(p, s) for p in sorted(files) for s in _sites(p, files[p]) if s.name not in done | self.spent]
            if idea and not done:
                # what a failed step tried can be softened where it was a number; else something else is due
                fitting = {"number"} if kind == "debug" else appetite.keys()
                pool = [(p, s) for p, s in pool if s.idea in idea and s.family in fitting] or pool
            chosen = _drawn(pool, appetite, self.experience, self.rng)
            if chosen is None:
                break
            path, site = chosen
            edit = site.make(self.rng, self.experience.of(site))
            if edit is None:
                self.spent.add(site.name)
            source = read(files[path])
            after = source.spliced(edit.splices) if edit and source else files[path]
            if edit and read(after) is not None:
                files[path] = after
                edits.append((site.name, edit.change))
        return self.finished(files, (*beginning.notes, describe(edits))) if edits else None

    def finished(self, files: Files, words: Sequence[str]) -> Proposal | None:
        """The proposal, if the files are valid, complete and new to the run."""
        candidate = Candidate(files=dict(files))
        if candidate.digest in self.seen:
            return None
        for path, text in files.items():
            if path.endswith(".py"):
                source = read(text)
                if source is None or not set(self.spec.defines.get(path, ())) <= defined_names(source.tree):
                    return None
        return Proposal(candidate=candidate, description="; ".join(words))


@lru_cache(maxsize=64)
def _sites(path: str, text: str) -> tuple[Site, ...]:
    """Every site of a file; none for a file that is not Python."""
    source = read(text) if path.endswith(".py") else None
    if source is None:
        return ()
    return tuple(site for family in FAMILIES for site in family.sites(source))


def _drawn(
    pool: Sequence[tuple[str, Site]], appetite: Mapping[Family, float], experience: Experience, rng: random.Random
) -> tuple[str, Site] | None:
    """First a family by appetite and luck, then a site of it: so that a large family does not drown a small one."""
    families: dict[Family, list[tuple[str, Site]]] = {}
    for path, site in [(p, s) for p, s in pool if s.family in appetite] or pool:
        families.setdefault(site.family, []).append((path, site))
    if not families:
        return None
    names = list(families)
    weights = [appetite.get(n, 1.0) * experience.luck([site for _, site in families[n]]) for n in names]
    members = families[rng.choices(names, weights)[0]]
    return rng.choices(members, [experience.weight(site) for _, site in members])[0]


def _ideas(step: Step, ask: Ask, experience: Experience, rng: random.Random) -> tuple[str, ...]:
    """Distinct intentions, each naming a real site of the step's code and none that the question already lists."""
    every = [(path, site) for path, text in sorted(step.candidate.files.items()) for site in _sites(path, text)]
    pool = [(path, site) for path, site in every if site.idea not in ask.guidance]
    ideas: dict[str, None] = {}
    for _ in range(4 * ask.count):
        chosen = _drawn(pool, IMPROVE, experience, rng)
        if chosen is None or len(ideas) == ask.count:
            break
        ideas[chosen[1].idea] = None
    return tuple(ideas)


def _remark(step: Step, view: View) -> str:
    """One sentence on a step, computed from its outcome."""
    name = view.task.spec.metric.name
    if step.request is None:
        return f"Step 0 is the baseline with {name} {step.value:.6g}." if step.value is not None else ""
    if step.value is None:
        return f"Step {step.index} ended in {step.outcome.kind}: {step.description or 'nothing was changed'}."
    before = working_ancestor(step, view.steps).value
    moved = f", from {before:.6g}" if before is not None else ""
    return f"Step {step.index} has {name} {step.value:.6g}{moved}: {step.description or 'nothing was changed'}."
