"""AI Scientist, second version: best-first tree search in four stages."""

from dataclasses import dataclass, field
from typing import Any, ClassVar

from pydantic import Field, field_validator

from assay.strategies.base import Params, Part, Search, Strategy
from assay.strategies.ideas import make_idea
from assay.strategies.request import Ask, Request, RequestKind, Step
from assay.strategies.tree import Node


class AiScientistV2Params(Params):
    """Defaults as FML-bench ran it; `upstream` gives the stages 20, 12, 12 and 18 of every 62 steps."""

    num_ideas: int = Field(3, ge=1)
    """Ideas made before the first step; as many drafts in the first stage."""
    num_reflections: int = Field(3, ge=1)
    """Rounds to make an idea, counting the first."""
    debug_prob: float = Field(0.5, ge=0, le=1)
    """How often a broken leaf is mended when there is one."""
    max_debug_depth: int = Field(3, ge=0)
    """A broken leaf is given up when it has more than this many broken ancestors in a row."""
    num_parallel: int = Field(4, ge=1)
    """Requests in a batch."""
    stage_budgets: tuple[float, float, float, float] = (0.10, 0.20, 0.50, 0.20)
    """Share of the budget that each stage has; what rounding leaves over goes to the last."""
    analyse: bool = True
    """Whether each step is analysed (one model call) and the analysis remembered."""
    summarise: bool = True
    """Whether the stage's steps are summarised (one model call a batch) for the next requests."""

    presets: ClassVar[dict[str, dict[str, Any]]] = {"upstream": {"stage_budgets": (20 / 62, 12 / 62, 12 / 62, 18 / 62)}}

    @field_validator("stage_budgets")
    @classmethod
    def _shares(cls, shares: tuple[float, ...]) -> tuple[float, ...]:
        if min(shares) < 0 or sum(shares) > 1 + 1e-9:
            raise ValueError("shares must not be negative and must not add up to more than 1")
        return shares


@dataclass(frozen=True)
class Stage:
    """What a stage does with a good solution, how many new ones it starts, and what it is about."""

    name: str
    kind: RequestKind
    drafts: int | None
    """None for as many as there are ideas."""
    guidance: str


STAGES = (
    Stage(
        "basic_implementation",
        "improve",
        None,
        "Get a simple, correct version of the idea to work first; refine it in small steps.",
    ),
    Stage(
        "hyperparameter_tuning",
        "tune",
        0,
        "Tune what can be tuned: rates, sizes, iterations, regularisation. Leave the algorithm as it is.",
    ),
    Stage(
        "creative_research",
        "improve",
        1,
        "Try something new: another mechanism, another architecture, an unconventional change.",
    ),
    Stage(
        "ablation_refinement",
        "ablate",
        0,
        "Find out which parts of the solution matter. Take away or simplify what does not; refine what does.",
    ),
)


@dataclass
class Journal:
    """The nodes of one stage. The best solution of the stages before is its first root."""

    nodes: list[Node] = field(default_factory=list)
    drafted: int = 0
    taken: int = 0
    """Steps in this stage."""
    substage_began: int = 0
    goals: str = ""


class AiScientistV2(Strategy):
    """Four stages, each a best-first tree search in batches that starts from the best solution so far.

    Within a batch, solutions of different trees come first, then different solutions, so that each good one has its
    turn. A stage may draft again when it has nothing good to build upon.
    """

    name = "ai_scientist_v2"
    summary = "best-first tree search in four stages, in batches"
    Params: ClassVar[type[Params]] = AiScientistV2Params

    def search(self, start: Step) -> Search:
        self.memory.add(start)
        self.ideas: list[str] = []
        for _ in range(self.params.num_ideas):
            idea = yield from make_idea(self, self.ideas, self.memory.history(), self.params.num_reflections)
            if idea:
                self.ideas.append(idea)
        self.unused = list(self.ideas)
        best: Node | None = None
        for stage, budget in zip(STAGES, self.budgets(), strict=True):
            best = yield from self.run_stage(stage, budget, best)

    def budgets(self) -> list[int]:
        shares = [int(self.setting.steps * share + 1e-9) for share in self.params.stage_budgets[:-1]]
        return [*shares, self.setting.steps - sum(shares)]

    def run_stage(self, stage: Stage, budget: int, best: Node | None) -> Part[Node | None]:
        """Spend a stage's budget; the best solution of this stage and those before, if there is any."""
        journal = Journal(nodes=[Node(best.step, idea=best.idea)] if best else [])
        while journal.taken < budget:
            yield from self.maybe_next_substage(stage, journal)
            memory = yield from self.recollection(journal)
            parents = self.select(stage, journal, min(self.params.num_parallel, budget - journal.taken))
            ideas = [parent.idea if parent else self.next_idea() for parent in parents]
            requests = [
                self.request(stage, journal, parent, idea, memory) for parent, idea in zip(parents, ideas, strict=True)
            ]
            steps = yield from self.attempts(requests)
            journal.taken += len(steps)
            for step, parent, idea in zip(steps, parents, ideas, strict=True):
                if self.params.analyse:
                    yield from self.analyse(step)
                if step.ok or step.buggy:
                    journal.nodes.append(Node(step, parent, idea=idea))
                    journal.drafted += parent is None
        good = self.good(journal)
        return good[0] if good else None

    def select(self, stage: Stage, journal: Journal, count: int) -> list[Node | None]:
        """What to work on, chosen before any of it is run; None for a draft."""
        drafts = stage.drafts if stage.drafts is not None else self.params.num_ideas
        good = self.good(journal)
        chosen: list[Node | None] = []
        while len(chosen) < count:
            if journal.drafted + chosen.count(None) < drafts:
                chosen.append(None)
                continue
            trees = {id(node.root) for node in chosen if node}
            broken = [n for n in journal.nodes if n.may_be_debugged(self.params.max_debug_depth) and n not in chosen]
            if broken and self.rng.random() < self.params.debug_prob:
                chosen.append(self.rng.choice(broken))
                continue
            fresh = [node for node in good if node not in chosen]
            other = [node for node in fresh if id(node.root) not in trees]
            chosen.append(next(iter([*other, *fresh, *good]), None))
        return chosen

    def request(self, stage: Stage, journal: Journal, parent: Node | None, idea: str, memory: str) -> Request:
        guidance = f"{stage.guidance}\n{journal.goals}".strip()
        kind = "draft" if parent is None else "debug" if parent.step.buggy else stage.kind
        index = 0 if parent is None else parent.index
        return Request(kind=kind, parents=(index,), idea=idea, guidance=guidance, memory=memory, origin=stage.name)

    def next_idea(self) -> str:
        """Ideas in turn; when all have been drafted, they may be drafted again, differently."""
        if not self.unused:
            self.unused = list(self.ideas)
        return self.unused.pop(0) if self.unused else ""

    def good(self, journal: Journal) -> list[Node]:
        """Working solutions, best first."""
        by_index = {node.index: node for node in journal.nodes}
        return [by_index[index] for index in self.memory.ranked(by_index)]

    def recollection(self, journal: Journal) -> Part[str]:
        """What the next requests are told: the history, led by a summary of this stage where one is made."""
        history = self.memory.history()
        if not (self.params.summarise and journal.taken):
            return history
        indices = tuple(sorted(node.index for node in journal.nodes))
        texts = yield from self.ask(Ask(kind="summarise", steps=indices or (0,), memory=self.memory.history(indices)))
        return "\n\n".join([*texts[:1], history])

    def maybe_next_substage(self, stage: Stage, journal: Journal) -> Part[None]:
        """After some steps, or when the last three good results are equal, ask for the next goals within the stage."""
        taken = journal.taken - journal.substage_began
        last = [node.step.value for node in journal.nodes if node.step.ok][-3:]
        if taken == 0 or (taken < max(3, len(journal.nodes) / 2) and not (len(last) == 3 and len(set(last)) == 1)):
            return
        journal.substage_began = journal.taken
        failed = sum(node.step.buggy for node in journal.nodes)
        guidance = f"{stage.guidance}\n{journal.taken} steps were taken in this stage; {failed} of them failed."
        texts = yield from self.ask(Ask(kind="plan", guidance=guidance, memory=self.memory.history()))
        journal.goals = " ".join(texts)
