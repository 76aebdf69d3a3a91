"""The loop of a search agent: strategy → request → proposer → candidate → evaluation → journal → strategy."""

from collections.abc import Sequence
from dataclasses import dataclass

from assay.proposers.base import Proposer, View
from assay.runs.budget import BudgetReached
from assay.runs.events import Finished
from assay.runs.session import Pending, Session
from assay.strategies.base import Strategy
from assay.strategies.request import Answer, Ask, Request, Step


@dataclass(frozen=True)
class Loop:
    """A strategy and a proposer in a session."""

    session: Session
    strategy: Strategy
    proposer: Proposer
    seed: int

    def run(self) -> Finished:
        """Search until a cap or the strategy ends it, then test once.

        Raises Interrupted, ModelUnavailable or AssayError; the journal then holds all that happened before.
        """
        start = self.session.begin()
        try:
            reason = self._search(start)
        except BudgetReached as end:
            reason = end.reason
        return self.session.finish(reason)

    def _search(self, start: Step) -> str:
        search = self.strategy.search(start)
        try:
            asked = next(search)
            while True:
                if isinstance(asked, Ask):
                    asked = search.send(self._ask(asked))
                elif isinstance(asked, Request):
                    asked = search.send(self._batch([asked])[0])
                else:
                    asked = search.send(self._batch(asked))
        except StopIteration:
            return "strategy"
        finally:
            search.close()

    def _ask(self, ask: Ask) -> Answer:
        return self.session.ask(ask, lambda: self.proposer.answer(ask, self._view()))

    def _batch(self, requests: Sequence[Request]) -> list[Step]:
        """A batch is proposed whole before any of it is evaluated; what was proposed before a cap is evaluated too."""
        pending: list[Pending] = []
        end: BudgetReached | None = None
        first = len(self.session.steps)
        for request in requests:
            try:
                pending.append(self._propose(request, first + len(pending)))
            except BudgetReached as reached:
                end = reached
                break
        steps = [self.session.evaluate(item) for item in pending]
        if end is not None:
            raise end
        return steps

    def _propose(self, request: Request, index: int) -> Pending:
        return self.session.propose(request, index, lambda: self.proposer.propose(request, self._view()))

    def _view(self) -> View:
        session = self.session
        return View(task=session.task, steps=session.steps, seed=self.seed, moment=session.moment)
