"""AIDE: a tree of solutions, grown greedily."""

from typing import ClassVar

from pydantic import Field

from assay.strategies.base import Params, Search, Strategy
from assay.strategies.request import Request, Step
from assay.strategies.tree import Node


class AideParams(Params):
    """The published agent and its original agree in these."""

    num_drafts: int = Field(5, ge=1)
    """Independent first solutions before any is improved."""
    debug_prob: float = Field(0.5, ge=0, le=1)
    """How often a broken leaf is mended when there is one."""
    max_debug_depth: int = Field(3, ge=0)
    """A broken leaf is given up when it has more than this many broken ancestors in a row."""
    analyse: bool = True
    """Whether each step is analysed (one model call) and the analysis remembered."""


class Aide(Strategy):
    """Draft several solutions, then mend a broken leaf or improve the best solution."""

    name = "aide"
    summary = "tree search: a few drafts, then debug a broken leaf or improve the best"
    Params: ClassVar[type[Params]] = AideParams

    def search(self, start: Step) -> Search:
        self.memory.add(start)
        nodes: list[Node] = []
        while True:
            parent = self.policy(nodes)
            step = yield from self.attempt(self.request(parent))
            if self.params.analyse:
                yield from self.analyse(step)
            if step.ok or step.buggy:
                nodes.append(Node(step, parent))

    def policy(self, nodes: list[Node]) -> Node | None:
        """What to work on next; None for a new draft."""
        if sum(node.parent is None for node in nodes) < self.params.num_drafts:
            return None
        if self.rng.random() < self.params.debug_prob:
            broken = [node for node in nodes if node.may_be_debugged(self.params.max_debug_depth)]
            if broken:
                return self.rng.choice(broken)
        by_index = {node.index: node for node in nodes}
        best = self.memory.best(by_index)
        return None if best is None else by_index[best]

    def request(self, parent: Node | None) -> Request:
        kind = "draft" if parent is None else "debug" if parent.step.buggy else "improve"
        return Request(kind=kind, parents=(parent.index if parent else 0,), memory=self.memory.history())
