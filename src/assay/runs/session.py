"""What every kind of agent does in a run: measure the baseline, take steps within a budget, be tested once.

A session knows nothing of how an agent decides. A search agent, an interactive one and any program that edits files
drive the same session, so their journals, scores and reports are the same.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from assay.evaluation.evaluate import Evaluator, baseline_failed
from assay.proposers.base import Proposal
from assay.runs.blobs import Blobs
from assay.runs.budget import BudgetReached, Spent, reached
from assay.runs.events import Acted, Asked, Finished, Proposed, Recorded, Searched, Stepped, Tested, record
from assay.runs.spec import Caps
from assay.runs.tape import Tape
from assay.strategies.request import Answer, Ask, Request, Step
from assay.tasks.candidate import Candidate
from assay.tasks.load import Task
from assay.tasks.outcome import ConstraintValue, EvaluationClock, Outcome

Asking = TypeVar("Asking", Request, Ask)


class Interrupted(Exception):
    """The run was told to stop where it is. Nothing is lost: the same command continues it."""


@dataclass(frozen=True)
class Progress:
    """Where a run is, for people who watch."""

    step: int
    baseline: float | None
    best: float | None
    spent: Spent


@dataclass(frozen=True)
class Control:
    """How a run is watched and stopped from outside."""

    observe: Callable[[Progress], None] = lambda progress: None
    interrupted: Callable[[], bool] = lambda: False
    sweep_reached: Callable[[], str | None] = lambda: None
    """The cap of the whole sweep that is reached, as `sweep-usd`, or None."""


@dataclass(frozen=True)
class Pending:
    """A step that is proposed, on disk, and not yet evaluated."""

    event: Proposed
    request: Request
    candidate: Candidate


@dataclass
class Session:
    """One run in progress. Every effect is taken from the record where it is there, and done where it is not."""

    task: Task
    evaluator: Evaluator
    tape: Tape
    blobs: Blobs
    caps: Caps
    control: Control
    steps: list[Step] = field(default_factory=list)
    """All steps by index; 0 is the baseline."""
    moment: int = 0
    """How many requests and asks there were."""
    _first: dict[str, int] = field(default_factory=dict)
    """Digest of a candidate → the step that first evaluated it."""
    _best: int = 0

    def begin(self) -> Step:
        """Step 0: the baseline, measured on this machine. Raises AssayError if it fails: then the task is at fault."""
        event = self.tape.take(Stepped, lambda e: e.step == 0)
        candidate = self.task.baseline
        if event is None:
            outcome = self.evaluator.baseline("val")
            if not outcome.ok:
                raise baseline_failed(self.task, outcome)
            for text in candidate.files.values():
                self.blobs.put(text)
            event = self.tape.add(
                Stepped, outcome.clock, step=0, candidate=candidate.digest, outcome=self._record(outcome)
            )
        else:
            self.evaluator.know_baseline("val", event.outcome.metrics)
        step = Step(index=0, request=None, candidate=candidate, outcome=self._restore(event.outcome))
        self._keep(step)
        return step

    def ask(self, ask: Ask, make: Callable[[], Answer]) -> Answer:
        """Words that cost no step. Raises Interrupted or BudgetReached before anything is spent."""
        stored = self._stored(ask)
        event = self.tape.take(Asked, lambda e: e.ask == stored)
        if event is None:
            self._leave(self.may_go_on)
            answer = make()
            texts = tuple(self.blobs.put(text) for text in answer.texts)
            self.tape.add(Asked, ask=stored, texts=texts, usage=answer.usage)
        else:
            answer = Answer(texts=tuple(self.blobs.get(text) for text in event.texts), usage=event.usage)
        self.moment += 1
        return answer

    def act(self, turn: int, make: Callable[[], Mapping[str, Any]]) -> Acted:
        """One turn of an interactive agent; `make` gives the fields of its event. It costs no step by itself.

        Raises Interrupted or BudgetReached before anything is spent, or from a model call within the turn.
        """
        event = self.tape.take(Acted, lambda e: e.turn == turn)
        if event is None:
            self._leave(self.may_act)
            with self.blobs.together():
                made = make()
            event = self.tape.add(Acted, **made)
        self._tell()
        return event

    def end(self, turn: int, make: Callable[[], Mapping[str, Any]]) -> Acted:
        """A last turn that the harness takes where a cap is reached: it needs no leave."""
        return self.tape.take(Acted, lambda e: e.turn == turn) or self.tape.add(Acted, **make())

    def measure(self, request: Request, make: Callable[[], Proposal]) -> Step:
        """A step that belongs to a turn which had leave, or to the end: taken whatever the caps say by now.

        Raises Interrupted.
        """
        index, stored = len(self.steps), self._stored(request)
        event = self.tape.take(Proposed, lambda e: e.request == stored and e.step == index)
        event = event or self._propose_now(stored, index, make())
        return self.evaluate(self._pending(event, request))

    def propose(self, request: Request, index: int, make: Callable[[], Proposal]) -> Pending:
        """Step `index` as far as its candidate. Raises Interrupted or BudgetReached before anything is spent."""
        if self.caps.steps is not None and index > self.caps.steps:
            raise BudgetReached("steps")
        stored = self._stored(request)
        event = self.tape.take(Proposed, lambda e: e.request == stored and e.step == index)
        if event is None:
            self._leave(self.may_go_on)
            event = self._propose_now(stored, index, make())
        self.moment += 1
        return self._pending(event, request)

    def evaluate(self, pending: Pending) -> Step:
        """Validate what was proposed: a step of the budget, whatever comes of it. Raises Interrupted."""
        proposed = pending.event
        event = self.tape.take(Stepped, lambda e: e.step == proposed.step)
        if event is None:
            if self.control.interrupted():
                raise Interrupted
            event = self._evaluate_now(proposed, pending.candidate)
        step = Step(
            index=proposed.step,
            request=pending.request,
            candidate=pending.candidate,
            description=proposed.description,
            outcome=self._restore(event.outcome),
            usage=proposed.usage,
        )
        self._keep(step)
        return step

    def finish(self, reason: str, chosen: int | None = None) -> Finished:
        """End the search and test once: the chosen step, else the best by validation; the baseline if none beat it."""
        best = self._best if chosen is None else chosen
        ended = self.tape.take(Searched) or self.tape.add(Searched, reason=reason, best=best)
        baseline = self.tape.take(Tested, lambda e: e.who == "baseline")
        if baseline is None:
            outcome = self.evaluator.baseline("test")
            baseline = self.tape.add(Tested, outcome.clock, who="baseline", step=0, outcome=self._record(outcome))
        elif baseline.outcome.kind == "ok":
            self.evaluator.know_baseline("test", baseline.outcome.metrics)
        if self.tape.take(Tested, lambda e: e.who == "best") is None:
            self._test(ended.best, baseline)
        return self.tape.take(Finished) or self.tape.add(Finished, reason=ended.reason, best=ended.best)

    def may_go_on(self) -> None:
        """Raises Interrupted or BudgetReached."""
        if self.control.interrupted():
            raise Interrupted
        self.check(self.tape.spent)

    def may_act(self) -> None:
        """Raises Interrupted, and BudgetReached for any cap but that on steps: whoever acts in a workspace may still do
        so when no validation is left."""
        if self.control.interrupted():
            raise Interrupted
        self.check_acting()

    def check_acting(self) -> None:
        """Raises BudgetReached for any cap but that on steps."""
        reason = reached(self.caps.model_copy(update={"steps": None}), self.tape.spent) or self.control.sweep_reached()
        if reason:
            raise BudgetReached(reason)

    def check(self, spent: Spent) -> None:
        """Raises BudgetReached if a cap of the run or of the sweep is reached."""
        reason = reached(self.caps, spent) or self.control.sweep_reached()
        if reason:
            raise BudgetReached(reason)

    def _leave(self, ask: Callable[[], None]) -> None:
        """Asked for before anything is spent; not again by a resumed run for what it had begun to pay for."""
        if self.control.interrupted():
            raise Interrupted
        if not self.tape.owes:
            ask()

    def _pending(self, event: Proposed, request: Request) -> Pending:
        files = {path: self.blobs.get(digest) for path, digest in event.files.items()}
        return Pending(event, request, Candidate(files=files))

    def _propose_now(self, request: Request, index: int, proposal: Proposal) -> Proposed:
        parent = self.steps[request.parents[0]].candidate
        candidate = proposal.candidate or parent
        failure = proposal.failure
        if failure is None and candidate.digest == parent.digest:
            failure = Outcome(kind="no_change", blame="agent", message="the proposal changes nothing")
        return self.tape.add(
            Proposed,
            step=index,
            request=request,
            files={path: self.blobs.put(text) for path, text in candidate.files.items()},
            candidate=candidate.digest,
            description=proposal.description,
            failure=self._record(failure) if failure else None,
            usage=proposal.usage,
        )

    def _evaluate_now(self, proposed: Proposed, candidate: Candidate) -> Stepped:
        def stepped(outcome: Recorded, clock: EvaluationClock | None = None, repeats: int | None = None) -> Stepped:
            facts = {"step": proposed.step, "candidate": candidate.digest, "repeats": repeats}
            return self.tape.add(Stepped, clock, outcome=outcome, **facts)

        if proposed.failure is not None:
            return stepped(proposed.failure)
        twin = self._first.get(candidate.digest)
        if twin is not None:
            return stepped(self._record(self.steps[twin].outcome), repeats=twin)
        outcome = self.evaluator.evaluate(candidate, "val")
        return stepped(self._record(outcome), outcome.clock)

    def _test(self, best: int, baseline: Tested) -> None:
        if best == 0 or baseline.outcome.kind != "ok":
            self.tape.add(Tested, who="best", step=0, outcome=baseline.outcome)
            return
        outcome = self.evaluator.evaluate(self.steps[best].candidate, "test")
        self.tape.add(Tested, outcome.clock, who="best", step=best, outcome=self._record(outcome))

    def _keep(self, step: Step) -> None:
        self.steps.append(step)
        if step.outcome.kind not in ("no_change", "unparsable", "refused") and step.outcome.blame != "infrastructure":
            self._first.setdefault(step.candidate.digest, step.index)
        best = self.steps[self._best].value
        # strictly better, so that of equal steps the earliest stays the best, and the baseline before all
        if step.value is not None and best is not None and self.task.spec.metric.better(step.value, best):
            self._best = step.index
        self._tell()

    def _tell(self) -> None:
        at = self.steps[-1].index
        self.control.observe(Progress(at, self.steps[0].value, self.steps[self._best].value, self.tape.spent))

    def _stored(self, asked: Asking) -> Asking:
        """As the journal holds it: the memory, which grows with every step, as the digest of its text."""
        return asked.model_copy(update={"memory": self.blobs.put(asked.memory)}) if asked.memory else asked

    def _record(self, outcome: Outcome) -> Recorded:
        return record(outcome, self.blobs.put(outcome.log_tail) if outcome.log_tail else "")

    def _restore(self, stored: Recorded) -> Outcome:
        """The outcome as an agent sees it, the same whether it was just measured or read back."""
        return Outcome(
            kind=stored.kind,
            blame=stored.blame,
            message=stored.message,
            value=stored.value,
            metrics=stored.metrics,
            stderrs=stored.stderrs,
            constraints=tuple(ConstraintValue.model_validate(c) for c in stored.constraints),
            log_tail=self.blobs.get(stored.log) if stored.log else "",
        )
