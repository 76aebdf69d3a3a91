"""Every agent by its name: search strategies, and those that drive a session in a way of their own.

The latter live in layers above this one and are named here as plug-ins are, by module and class.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Protocol, cast

from typing_extensions import TypeIs

from assay.errors import UsageError, unknown
from assay.models.base import Client
from assay.runs.events import Finished
from assay.runs.session import Session
from assay.runs.spec import RunSpec
from assay.sandbox.client import Sandbox
from assay.strategies.base import Params, Strategy
from assay.strategies.registry import BUILT_IN, AgentInfo, find_strategy, load_class
from assay.strategies.registry import agents as strategies

DRIVING = {
    "action_only": "assay.environments.agents.react:ActionOnly",
    "command": "assay.environments.command.agent:Command",
    "mlab_research": "assay.environments.agents.research:MlabResearch",
    "react": "assay.environments.agents.react:React",
    "tools": "assay.environments.agents.tools:Tools",
    "trivial": "assay.environments.agents.trivial:Trivial",
}


@dataclass(frozen=True)
class Opened:
    """A run that is open for writing, handed to an agent that drives it."""

    spec: RunSpec
    session: Session
    sandbox: Sandbox
    """The one that evaluates; scripts of a workspace run in it, too."""
    client: Callable[[str], Client]
    """A model by name. Its calls are in the run's record, are answered from there, and count against its caps."""


class Driving(Protocol):
    """The class of an agent that drives a session itself. `drive` raises what Loop.run raises."""

    name: ClassVar[str]
    summary: ClassVar[str]
    Params: ClassVar[type[Params]]
    proposer: ClassVar[Literal["model", "none"]]

    @classmethod
    def check(cls, params: Mapping[str, Any]) -> None:
        """Raises UsageError, before anything is run, for what these parameters lack on this machine."""

    @classmethod
    def drive(cls, opened: Opened) -> Finished: ...


AnyAgent = type[Strategy] | type[Driving]


def find_agent(name: str) -> AnyAgent:
    """An agent by its name or as `module:Class`. Raises UsageError with the nearest names, or the reason.

    A name may have a label behind a slash, as in `command/my-agent`, so that two of a kind can be told apart.
    """
    plain = name.partition("/")[0]
    if ":" in name or plain in DRIVING:
        found = load_class(DRIVING.get(plain, name))
        if not isinstance(found, type) or not (issubclass(found, Strategy) or hasattr(found, "drive")):
            raise UsageError(
                f"'{name}' is not an agent",
                "an agent is a subclass of assay.strategies.base.Strategy, or of "
                "assay.environments.agents.base.InteractiveAgent",
            )
        return cast(AnyAgent, found)
    try:
        return find_strategy(name)
    except UsageError as error:
        if name in strategies():
            raise error
        raise unknown("agent", name, [*strategies(), *DRIVING], "assay list agents") from None


def searches(agent: AnyAgent) -> TypeIs[type[Strategy]]:
    """Whether it is a strategy, driven by the loop."""
    return issubclass(agent, Strategy)


def agents() -> dict[str, AgentInfo]:
    """All agents that are known by name."""
    driving: dict[str, Any] = {name: load_class(target) for name, target in DRIVING.items()}
    infos = {name: AgentInfo(name, kind.summary, "assay") for name, kind in driving.items()}
    return dict(sorted({**strategies(), **infos}.items()))


def searching() -> list[str]:
    """The names of all search agents, Assay's own and plug-ins."""
    return [name for name in strategies() if name in BUILT_IN or name not in DRIVING]
