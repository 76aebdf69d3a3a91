"""What a strategy asks for, and what it gets back. All of it is data that a journal can hold."""

from typing import Literal

from pydantic import Field

from assay.base import Frozen
from assay.models.usage import Usage as Usage
from assay.tasks.candidate import Candidate
from assay.tasks.outcome import Outcome

RequestKind = Literal["draft", "improve", "debug", "combine", "tune", "ablate", "repeat", "solution", "act", "noise"]
"""`act` is not asked for: it is what an interactive agent did in its workspace until the code was validated."""
AskKind = Literal["ideate", "reflect", "analyse", "summarise", "plan"]


class Request(Frozen):
    """Ask for a candidate. It is then validated: one request is one step of the budget."""

    kind: RequestKind
    parents: tuple[int, ...] = (0,)
    """Steps by index; 0 is the baseline. The code of the first is what is edited, the others may be drawn upon."""
    idea: str = ""
    """What to try, if the strategy already knows."""
    guidance: str = ""
    """How to go about it: the hint of a stage or a rule."""
    memory: str = ""
    """What was learnt so far, rendered by `assay.strategies.memory`."""
    origin: str = ""
    """The strategy's own label for the place of this request: a stage, branch or island. For people, not for models."""


class Ask(Frozen):
    """Ask for words alone: ideas, an analysis, a summary. Costs model calls and no step."""

    kind: AskKind
    steps: tuple[int, ...] = (0,)
    """Steps the question is about; their code, outcome and diff are shown."""
    count: int = 1
    """How many ideas are wanted."""
    guidance: str = ""
    memory: str = ""


class Answer(Frozen):
    """The words that came back. `texts` is empty if nothing usable came; a strategy goes on without."""

    texts: tuple[str, ...] = ()
    usage: Usage = Usage()


class Step(Frozen):
    """Request, candidate and validation outcome. Step 0 is the baseline, measured on this machine and not counted."""

    index: int = Field(ge=0)
    request: Request | None
    """None for the baseline alone."""
    candidate: Candidate
    """What was evaluated; where nothing usable was proposed, the unchanged code of the first parent."""
    description: str = ""
    """What was changed, in the proposer's words, checked against the diff."""
    outcome: Outcome
    usage: Usage = Usage()

    @property
    def ok(self) -> bool:
        return self.outcome.ok

    @property
    def value(self) -> float | None:
        return self.outcome.value

    @property
    def buggy(self) -> bool:
        """Whether there is failed code of its own that a debug request could mend: not where nothing was proposed."""
        return self.outcome.kind not in ("ok", "no_change", "unparsable", "refused")
