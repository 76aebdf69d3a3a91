"""AIRA-MCTS: Monte Carlo tree search over solutions."""

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar, Optional

from pydantic import Field

from assay.strategies.base import Params, Part, Search, Strategy
from assay.strategies.request import Request, Step


class AiraMctsParams(Params):
    """Defaults as FML-bench ran it; `upstream` explores less, branches wider and mends longer."""

    uct_c: float = Field(1.41, ge=0)
    """Weight of exploration."""
    num_children: int = Field(2, ge=1)
    """Solutions made from a leaf at once."""
    max_debug_depth: int = Field(3, ge=0)
    """Attempts to mend a new solution before it is given up."""
    root_widening: float = Field(0.5, ge=0, le=1)
    """The root may have its number of visits to this power as children, so that the search can always draft again."""
    analyse: bool = True
    """Whether each step is analysed (one model call) and the analysis remembered."""

    presets: ClassVar[dict[str, dict[str, Any]]] = {
        "upstream": {"uct_c": 0.25, "num_children": 5, "max_debug_depth": 20}
    }


@dataclass(eq=False)
class Node:
    """A working solution. The baseline is the root. A solution that could not be mended never becomes a node."""

    step: Step
    parent: Optional["Node"]
    children: list["Node"] = field(default_factory=list)
    visits: int = 0
    total: float = 0.0
    """Sum of the values seen below and here, turned so that larger is better."""


class AiraMcts(Strategy):
    """Walk down by upper confidence bounds, make children of the leaf, mend what fails, send the values back up.

    An expansion that fails for good counts as a visit worth the worst value seen, so that the search moves on; a leaf
    without living children can be expanded again.
    """

    name = "aira_mcts"
    summary = "Monte Carlo tree search with upper confidence bounds and a debug cycle"
    Params: ClassVar[type[Params]] = AiraMctsParams

    def search(self, start: Step) -> Search:
        self.memory.add(start)
        root = Node(start, None)
        self.low = self.high = self.worth(start)
        while True:
            leaf = self.select(root)
            for step in (yield from self.expand(leaf)):
                if step.ok:
                    node = Node(step, leaf)
                    leaf.children.append(node)
                    self.send_up(node, self.worth(step))
                else:
                    self.send_up(leaf, self.low)

    def select(self, root: Node) -> Node:
        """The node to expand: down the best bounds to one without children, or the root when it may widen."""
        if len(root.children) < int(root.visits**self.params.root_widening):
            return root
        node = root
        while node.children:
            node = max(node.children, key=self.bound)
        return node

    def bound(self, node: Node) -> float:
        assert node.parent is not None
        width = self.high - self.low
        value = (node.total / node.visits - self.low) / width if width > 0 else 0.5
        explore = math.sqrt(math.log(node.parent.visits) / node.visits)
        return float(value + self.params.uct_c * explore)

    def expand(self, leaf: Node) -> Part[list[Step]]:
        """New solutions from a leaf as one batch, then rounds of fixes for those that fail, each round one batch."""
        kind = "draft" if leaf.parent is None else "improve"
        request = Request(kind=kind, parents=(leaf.step.index,), memory=self.memory.history())
        count = 1 if leaf.children else self.params.num_children
        steps = yield from self.evaluated([request] * count)
        for _ in range(self.params.max_debug_depth):
            broken = [i for i, step in enumerate(steps) if step.buggy]
            if not broken:
                break
            memory = self.memory.history()
            fixes = [Request(kind="debug", parents=(steps[i].index,), memory=memory) for i in broken]
            for i, fixed in zip(broken, (yield from self.evaluated(fixes)), strict=True):
                steps[i] = fixed
        return steps

    def evaluated(self, requests: list[Request]) -> Part[list[Step]]:
        steps = yield from self.attempts(requests)
        if self.params.analyse:
            for step in steps:
                yield from self.analyse(step)
        return steps

    def send_up(self, node: Node | None, worth: float) -> None:
        """Count a visit and a value from here to the root, and widen the range that values are measured by."""
        self.low, self.high = min(self.low, worth), max(self.high, worth)
        while node is not None:
            node.visits += 1
            node.total += worth
            node = node.parent
