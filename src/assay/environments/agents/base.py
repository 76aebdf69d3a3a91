"""The contract of an interactive agent: from what it did and saw to what it does next."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from pydantic import Field

from assay.environments.actions.catalogue import ActionInfo
from assay.environments.workspace import Workspace
from assay.models.base import Client
from assay.models.names import check_model
from assay.proposers.base import View
from assay.runs.agents import Opened
from assay.runs.events import ActKind, Finished, Reason
from assay.strategies.base import Params


class InteractiveParams(Params):
    """What every interactive agent can be told."""

    max_turns: int = Field(50, ge=1)
    """Actions of one run. Notes that an agent takes for itself do not count."""
    script_seconds: float = Field(120.0, gt=0)
    """Wall clock of one execution of a script."""
    fast_model: str | None = None
    """For reading, summing up and reflection; the run's model if not set."""
    edit_model: str | None = None
    """For edits of scripts; the run's model if not set."""


@dataclass(frozen=True)
class Turn:
    """One turn as its agent remembers it."""

    said: str
    action: str
    arguments: Mapping[str, Any] | str
    """A text where they could not be read."""
    kind: ActKind
    observation: str
    """As the agent was shown it."""
    exit_code: int | None = None
    bookkeeping: bool = False


@dataclass(frozen=True)
class Decision:
    """What an agent does next."""

    action: str
    arguments: Mapping[str, Any] | str
    said: str = ""
    """Its own words, for the record and for its memory."""
    problem: str = ""
    """Why the arguments could not be read: the environment is then not asked, and this is the observation."""
    retries: int = 0
    """How many answers of its model could not be used before this one."""
    bookkeeping: bool = False
    ends: Reason | None = None
    """It cannot go on, and why: the run ends here with what there is."""


def given_up(stop: str, retries: int) -> Decision:
    """No answer of the model could be used; `stop` is how the last one ended."""
    return Decision("", "", ends="context" if stop == "too_long" else "format", retries=retries)


def shortened(text: str, chars: int) -> str:
    """The beginning and the end of a text that is longer than this."""
    if len(text) <= chars:
        return text
    half = chars // 2
    return f"{text[:half]}\n[... {len(text) - 2 * half} characters left out ...]\n{text[len(text) - half :]}"


@dataclass(frozen=True)
class Desk:
    """All that an agent may use. Shared and growing: read it, do not keep it."""

    problem: str
    """The task's statement."""
    budget: str
    """What may be spent, in words."""
    actions: Mapping[str, ActionInfo]
    workspace: Workspace
    on_task: View | None
    """The task and the steps so far; None in staged research, which has neither."""
    validations: int | None
    """How often the work can still be measured; None for as often as one likes."""
    model: Client | None
    """None with `offline`, and for an agent that needs none."""
    fast: Client | None

    @property
    def view(self) -> View:
        """For an agent that has no model, and so goes by the task itself."""
        assert self.on_task is not None, "without a task an agent needs a model"
        return self.on_task


class InteractiveAgent(ABC):
    """Decides turn by turn. Deterministic in what it is shown, but for what its model answers; keeps nothing itself.

    So a run that was killed goes on where it was: the recorded turns are its memory. Never raises for anything a model
    answers. Raises BudgetReached or ModelUnavailable from a model call.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line for `assay list agents`."""
    Params: ClassVar[type[InteractiveParams]] = InteractiveParams
    proposer: ClassVar[Literal["model", "none"]] = "model"
    """Whether it needs a model (or `offline`)."""

    def __init__(self, params: InteractiveParams) -> None:
        self.params: Any = params

    @classmethod
    def check(cls, params: Mapping[str, Any]) -> None:
        """Raises UsageError for a model that cannot be asked."""
        for name in filter(None, (params.get("fast_model"), params.get("edit_model"))):
            check_model(name)

    @classmethod
    def drive(cls, opened: Opened) -> Finished:
        """One run of this agent, from where its record ends."""
        # an episode knows agents; so that an agent can begin one, it learns of episodes only now
        from assay.environments.episode import begin

        return begin(cls(cls.Params.model_validate(opened.spec.params)), opened).run()

    @abstractmethod
    def decide(self, desk: Desk, history: Sequence[Turn]) -> Decision: ...

    def motive(self, said: str) -> str:
        """Of what it said in a turn, why it did what it did: for people who read the search."""
        return said

    def shown(self, desk: Desk, decision: Decision, observation: str) -> str:
        """What the agent keeps of an observation; the observation itself unless it makes something of it."""
        return observation
