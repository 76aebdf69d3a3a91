"""Solution trees: steps with their ancestry, shared by the strategies that search one."""

from dataclasses import dataclass, field
from typing import Optional

from assay.strategies.request import Step


@dataclass(eq=False)
class Node:
    """A step that brought code of its own, good or buggy, and its place among the others."""

    step: Step
    parent: Optional["Node"] = None
    children: list["Node"] = field(default_factory=list)
    idea: str = ""
    """The idea of the draft at its root."""

    def __post_init__(self) -> None:
        if self.parent is not None:
            self.parent.children.append(self)

    @property
    def index(self) -> int:
        return self.step.index

    @property
    def root(self) -> "Node":
        return self if self.parent is None else self.parent.root

    @property
    def debug_depth(self) -> int:
        """Attempts to mend that lead here: the number of buggy ancestors without a good one between."""
        return self.parent.debug_depth + 1 if self.parent is not None and self.parent.step.buggy else 0

    def may_be_debugged(self, max_depth: int) -> bool:
        """Buggy, not yet worked upon, and not at the end of too long a chain of fixes."""
        return self.step.buggy and not self.children and self.debug_depth <= max_depth
