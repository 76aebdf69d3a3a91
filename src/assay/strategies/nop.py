"""The agent that does nothing: what the numbers of any other agent are compared with."""

from assay.strategies.base import Search, Strategy
from assay.strategies.request import Request, Step


class Nop(Strategy):
    """Validate the unchanged baseline again and again. Needs no proposer; shows the noise of a task."""

    name = "nop"
    summary = "changes nothing: the baseline again at every step"
    proposer = "none"

    def search(self, start: Step) -> Search:
        while True:
            yield Request(kind="repeat")
