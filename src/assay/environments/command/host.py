"""The harness's side of `./validate`: what a program hands in becomes a step, and it is told what came of it."""

from collections.abc import Mapping
from typing import Any

from assay.environments.measured import described
from assay.environments.workspace import CODE_BYTES
from assay.proposers.base import Proposal
from assay.runs.budget import BudgetReached
from assay.runs.events import Proposed
from assay.runs.session import Session
from assay.strategies.request import Request, Step
from assay.tasks.candidate import Candidate
from assay.tasks.load import Task

ASKED_BY_PROGRAM = "Run Program"
MOST_MODULES = 100


class Host:
    """Answers one program. What it asks is hostile: files of the wrong name or kind are not taken."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def answer(self, asked: Any) -> dict[str, Any]:
        """Measure what is handed in, if the budget has a step for it. Raises Interrupted, and BudgetReached for a cap
        other than that on steps: the program is then ended."""
        session = self._session
        try:
            candidate = _candidate(asked, session.task)
        except ValueError as error:
            return {"ok": False, "text": str(error)}
        known = next((step for step in session.steps if step.candidate.digest == candidate.digest), None)
        if known is None:
            try:
                known = self._step(candidate)
            except BudgetReached as reached:
                if reached.reason != "steps":
                    raise
                return {"ok": False, "text": "No validations are left. The best that was measured counts."}
        if not session.task.spec.feedback:
            return {"ok": True, "text": "It was handed in. This task tells no result before the end."}
        return {"ok": known.ok, "text": described(known, session.task.spec) + self._left()}

    def idle(self) -> None:
        """Asked several times a second. Raises Interrupted or BudgetReached."""
        self._session.may_act()

    def _step(self, candidate: Candidate) -> Step:
        session = self._session
        index = len(session.steps)
        proposal = Proposal(candidate=candidate)
        return session.evaluate(session.propose(_request(index), index, lambda: proposal))

    def _left(self) -> str:
        cap = self._session.caps.steps
        return "" if cap is None else f"\nValidations left: {cap - len(self._session.steps) + 1}"


def replay_steps(session: Session) -> None:
    """Take over the steps that an earlier start of the program left in the record."""
    while session.tape.next_is(Proposed):
        index = len(session.steps)
        session.evaluate(session.propose(_request(index), index, _nothing))


def _request(index: int) -> Request:
    return Request(kind="act", parents=(index - 1,), origin="validate")


def _nothing() -> Proposal:
    raise AssertionError("a recorded step is not proposed again")


def _candidate(asked: Any, task: Task) -> Candidate:
    """Raises ValueError, with what the program is told, if an editable file is missing."""
    files = asked.get("files") if isinstance(asked, Mapping) else None
    given = (
        {str(path): text for path, text in files.items() if isinstance(text, str)} if isinstance(files, dict) else {}
    )
    missing = [path for path in task.spec.editable if path not in given]
    if missing:
        raise ValueError(f"{missing[0]} is missing, too long, or not UTF-8 text")
    taken = {path: given[path] for path in task.spec.editable}
    if task.spec.script:
        others = [path for path in sorted(given) if _is_module(path, task) and len(given[path]) <= CODE_BYTES]
        taken |= {path: given[path] for path in others[:MOST_MODULES]}
    return Candidate(files=taken)


def _is_module(path: str, task: Task) -> bool:
    parts = path.split("/")
    plain = all(part and part not in (".", "..") and not part.startswith(".") for part in parts)
    return path.endswith(".py") and plain and path not in task.fixed_files and path not in task.spec.editable
