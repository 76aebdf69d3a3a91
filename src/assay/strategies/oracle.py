"""The agent that knows the answers: what a task allows at least."""

from assay.strategies.base import Search, Strategy
from assay.strategies.request import Request, Step


class Oracle(Strategy):
    """Validate each of the task's known-good solutions once, in the order of their names, then stop."""

    name = "oracle"
    summary = "submits the task's known-good solutions, one a step"
    proposer = "solutions"

    def search(self, start: Step) -> Search:
        for number in range(self.setting.solutions):
            yield Request(kind="solution", idea=str(number))
