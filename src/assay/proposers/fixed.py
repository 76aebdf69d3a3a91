"""Proposers without any choice: nothing at all, and the task's known-good solutions."""

from assay.proposers.base import Proposal, View
from assay.strategies.request import Answer, Ask, Request
from assay.tasks.outcome import Outcome


class FixedProposer:
    """Answers `repeat` with no change, and `solution` with the known-good solution whose number is the idea.

    For `nop` and `oracle`, which every benchmark needs for its own sanity.
    """

    def propose(self, request: Request, view: View) -> Proposal:
        if request.kind != "solution":
            return _no_change("nothing was asked to change")
        solutions = list(view.task.solutions.items())
        number = int(request.idea) if request.idea.isdecimal() else -1
        if not 0 <= number < len(solutions):
            return _no_change(f"task '{view.task.id}' has {len(solutions)} solutions, none of them is '{request.idea}'")
        name, candidate = solutions[number]
        return Proposal(candidate=candidate, description=f"known-good solution '{name}'")

    def answer(self, ask: Ask, view: View) -> Answer:
        return Answer()


def _no_change(message: str) -> Proposal:
    return Proposal(candidate=None, failure=Outcome(kind="no_change", blame="agent", message=message))
