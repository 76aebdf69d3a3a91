"""What an action has at hand, and what it leaves behind."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.environments.workspace import Workspace
from assay.evaluation.evaluate import Runner
from assay.models.base import Client
from assay.tasks.spec import Limits

LOG = "research_log.log"
Arguments = Mapping[str, Any]


class NoModel(Exception):
    """An action that asks a model was called where there is none."""


@dataclass(frozen=True)
class Helpers:
    """The models behind the actions. Every call of theirs is in the run's record and counts against its caps."""

    fast: Client | None = None
    """For reading, summing up and reflection."""
    edit: Client | None = None
    """For edits."""


@dataclass
class Doing:
    """One action as it is carried out: what it may use, and what is noted of it on the way."""

    workspace: Workspace
    runner: Runner
    limits: Limits
    helpers: Helpers
    problem: str
    """The task's statement."""
    help: Callable[[str], str] | None = None
    primitives: list[tuple[str, Arguments, str]] = field(default_factory=list)
    exit_code: int | None = None
    ran: str = ""

    def primitive(self, action: str, arguments: Arguments, observation: str) -> str:
        """Note a low-level action that was done, and hand its observation on."""
        self.primitives.append((action, dict(arguments), observation))
        return observation
