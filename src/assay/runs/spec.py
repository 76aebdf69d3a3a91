"""What a run is asked to do. A run is a pure function of its RunSpec and its journal."""

from typing import Any

from pydantic import Field

from assay.base import Frozen
from assay.models.base import ModelSettings as ModelSettings


class Caps(Frozen):
    """Hard limits. None means no limit."""

    steps: int | None = Field(None, ge=0)
    tokens: int | None = Field(None, ge=0)
    usd: float | None = Field(None, ge=0)
    hours: float | None = Field(None, ge=0)


class RunSpec(Frozen):
    """One agent, one model, one task, one seed, one budget."""

    agent: str
    params: dict[str, Any] = {}
    """Every parameter of the agent with its value, defaults included, so that a changed default is a changed run."""
    model: str = "offline"
    settings: ModelSettings = ModelSettings()
    task: str
    """A task id, or the path of a task's folder."""
    seed: int = 0
    caps: Caps = Caps(steps=20)

    @property
    def run_id(self) -> str:
        """The run's folder name: readable, and the same for the same agent, task, model and seed."""
        task = "/".join(self.task.rstrip("/").split("/")[-2:])  # of a folder anywhere, its own name and its parent's
        parts = (self.agent, task, self.model, f"s{self.seed}")
        return "__".join("".join(c if c.isalnum() or c in "._-" else "-" for c in part).strip(".-") for part in parts)
