"""AI Scientist, first version: one idea after the other, a few runs each."""

from typing import Any, ClassVar

from pydantic import Field

from assay.strategies.base import Params, Part, Search, Strategy
from assay.strategies.ideas import make_idea
from assay.strategies.request import Request, Step

COMPLETED = "ALL_COMPLETED"
"""With this word in the description of a change, a model says that an idea is worked through."""


class AiScientistParams(Params):
    """Defaults as FML-bench ran it; the original makes a list of 50 ideas."""

    num_ideas: int = Field(25, ge=1)
    """Ideas in a list. When it is worked through and budget is left, a new list begins."""
    num_reflections: int = Field(3, ge=1)
    """Rounds to make an idea, counting the first."""
    max_runs: int = Field(5, ge=1)
    """Successful runs for each idea."""
    max_retries_per_run: int = Field(4, ge=1)
    """Attempts at a run, counting the first, before the idea is given up."""
    use_early_completion: bool = True
    """Whether a model may end an idea by saying that it is complete."""

    presets: ClassVar[dict[str, dict[str, Any]]] = {"upstream": {"num_ideas": 50}}


class AiScientist(Strategy):
    """Work through a list of ideas. Each starts from the baseline and goes on from run to run without looking back.

    An idea is made when its turn comes. The ideas of a list depend on each other and not on their results, so that this
    gives the same list as making all of them first, and costs no calls for ideas that are never tried.
    """

    name = "ai_scientist"
    summary = "linear: a list of ideas, each worked for a few runs from the baseline"
    Params: ClassVar[type[Params]] = AiScientistParams

    def search(self, start: Step) -> Search:
        self.memory.add(start)
        while True:
            known = self.memory.history()
            ideas: list[str] = []
            for number in range(1, self.params.num_ideas + 1):
                idea = yield from make_idea(self, ideas, known, self.params.num_reflections)
                if idea:
                    ideas.append(idea)
                yield from self.work(idea, f"idea {number}", start)

    def work(self, idea: str, origin: str, start: Step) -> Part[None]:
        """The runs of one idea, each on the code that the run before left behind, better or worse."""
        current = start
        for run in range(1, self.params.max_runs + 1):
            step = yield from self.one_run(idea, run, current, origin)
            if not step.ok or self.complete(step):
                return
            current = step

    def one_run(self, idea: str, run: int, current: Step, origin: str) -> Part[Step]:
        """Implement the next part of an idea and mend it while it fails: the last attempt."""
        guidance = f"Run {run} of at most {self.params.max_runs} for this idea. Implement its next part."
        if run > 1 and self.params.use_early_completion:
            guidance += f" If nothing of it is left to do, say {COMPLETED} in the description of your change."
        kind = "draft" if run == 1 else "improve"
        parent = current.index
        for _ in range(self.params.max_retries_per_run):
            memory = self.memory.history()
            step = yield from self.attempt(
                Request(kind=kind, parents=(parent,), idea=idea, guidance=guidance, memory=memory, origin=origin)
            )
            if step.ok or self.complete(step):
                break
            if step.buggy:
                kind, parent = "debug", step.index
        return step

    def complete(self, step: Step) -> bool:
        return self.params.use_early_completion and COMPLETED in step.description
