"""The loop of one run: strategy → request → proposer → candidate → sandbox → grader → outcome → journal → strategy."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from assay.evaluation.evaluate import Evaluator, baseline_failed
from assay.proposers.base import Proposer, View
from assay.runs.blobs import Blobs
from assay.runs.budget import BudgetReached, Spent, reached
from assay.runs.events import Asked, Finished, Proposed, Recorded, Searched, Stepped, Tested, record
from assay.runs.spec import Caps
from assay.runs.tape import Tape
from assay.strategies.base import Strategy
from assay.strategies.request import Answer, Ask, Request, Step
from assay.tasks.candidate import Candidate
from assay.tasks.load import Task
from assay.tasks.outcome import ConstraintValue, EvaluationClock, Outcome


class Interrupted(Exception):
    """The run was told to stop where it is. Nothing is lost: the same command continues it."""


@dataclass(frozen=True)
class Progress:
    """Where a run is, for people who watch."""

    step: int
    steps: int | None
    baseline: float | None
    best: float | None
    spent: Spent


@dataclass
class Control:
    """How a run is watched and stopped from outside."""

    observe: Callable[[Progress], None] = lambda progress: None
    interrupted: Callable[[], bool] = lambda: False
    sweep_reached: Callable[[], str | None] = lambda: None
    """The cap of the whole sweep that is reached, as `sweep-usd`, or None."""


@dataclass
class Loop:
    """One run in progress. `run()` goes through it once, from the record where there is one."""

    task: Task
    strategy: Strategy
    proposer: Proposer
    evaluator: Evaluator
    tape: Tape
    blobs: Blobs
    caps: Caps
    seed: int
    control: Control
    steps: list[Step] = field(default_factory=list)
    _moment: int = 0
    _first: dict[str, int] = field(default_factory=dict)
    """Digest of a candidate → the step that first evaluated it."""
    _best_index: int = 0

    def run(self) -> Finished:
        """Search until a cap or the strategy ends it, then test once.

        Raises Interrupted, ModelUnavailable or AssayError; the journal then holds all that happened before.
        """
        start = self._baseline()
        try:
            reason = self._search(start)
        except BudgetReached as end:
            reason = end.reason
        ended = self.tape.take(Searched) or self.tape.add(Searched, reason=reason, best=self._best.index)
        self._test(self.steps[ended.best])
        return self.tape.take(Finished) or self.tape.add(Finished, reason=ended.reason, best=ended.best)

    def _search(self, start: Step) -> str:
        search = self.strategy.search(start)
        try:
            asked = next(search)
            while True:
                if isinstance(asked, Ask):
                    asked = search.send(self._answer(asked))
                elif isinstance(asked, Request):
                    asked = search.send(self._batch([asked])[0])
                else:
                    asked = search.send(self._batch(asked))
        except StopIteration:
            return "strategy"
        finally:
            search.close()

    def _baseline(self) -> Step:
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
        step = Step(index=0, request=None, candidate=candidate, outcome=self._restore(event))
        self._keep(step)
        return step

    def _answer(self, ask: Ask) -> Answer:
        event = self.tape.take(Asked, lambda e: e.ask == ask)
        if event is None:
            self._may_go_on()
            answer = self.proposer.answer(ask, self._view())
            texts = tuple(self.blobs.put(text) for text in answer.texts)
            self.tape.add(Asked, ask=ask, texts=texts, usage=answer.usage)
        else:
            answer = Answer(texts=tuple(self.blobs.get(text) for text in event.texts), usage=event.usage)
        self._moment += 1
        return answer

    def _batch(self, requests: Sequence[Request]) -> list[Step]:
        """A batch is proposed whole before any of it is evaluated; what was proposed before a cap is evaluated too."""
        proposed: list[tuple[Proposed, Candidate]] = []
        end: BudgetReached | None = None
        first = len(self.steps)
        for request in requests:
            try:
                proposed.append(self._propose(request, first + len(proposed)))
            except BudgetReached as reached_now:
                end = reached_now
                break
        steps = [self._evaluate(event, candidate) for event, candidate in proposed]
        if end is not None:
            raise end
        return steps

    def _propose(self, request: Request, index: int) -> tuple[Proposed, Candidate]:
        if self.caps.steps is not None and index > self.caps.steps:
            raise BudgetReached("steps")
        event = self.tape.take(Proposed, lambda e: e.request == request and e.step == index)
        if event is None:
            self._may_go_on()
            event = self._propose_now(request, index)
        self._moment += 1
        files = {path: self.blobs.get(digest) for path, digest in event.files.items()}
        return event, Candidate(files=files)

    def _propose_now(self, request: Request, index: int) -> Proposed:
        proposal = self.proposer.propose(request, self._view())
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

    def _evaluate(self, proposed: Proposed, candidate: Candidate) -> Step:
        event = self.tape.take(Stepped, lambda e: e.step == proposed.step)
        if event is None:
            self._may_go_on(within_step=True)
            event = self._evaluate_now(proposed, candidate)
        step = Step(
            index=proposed.step,
            request=proposed.request,
            candidate=candidate,
            description=proposed.description,
            outcome=self._restore(event),
            usage=proposed.usage,
        )
        self._keep(step)
        return step

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

    def _test(self, best: Step) -> None:
        baseline = self.tape.take(Tested, lambda e: e.who == "baseline")
        if baseline is None:
            outcome = self.evaluator.baseline("test")
            baseline = self.tape.add(Tested, outcome.clock, who="baseline", step=0, outcome=self._record(outcome))
        elif baseline.outcome.kind == "ok":
            self.evaluator.know_baseline("test", baseline.outcome.metrics)
        if self.tape.take(Tested, lambda e: e.who == "best") is not None:
            return
        if best.index == 0 or baseline.outcome.kind != "ok":
            self.tape.add(Tested, who="best", step=0, outcome=baseline.outcome)
            return
        outcome = self.evaluator.evaluate(best.candidate, "test")
        self.tape.add(Tested, outcome.clock, who="best", step=best.index, outcome=self._record(outcome))

    def _may_go_on(self, within_step: bool = False) -> None:
        """Raises Interrupted or BudgetReached. A step that is already proposed is finished whatever it cost."""
        if self.control.interrupted():
            raise Interrupted
        if not within_step:
            self.check(self.tape.spent)

    def check(self, spent: Spent) -> None:
        """Raises BudgetReached if a cap of the run or of the sweep is reached."""
        reason = reached(self.caps, spent) or self.control.sweep_reached()
        if reason:
            raise BudgetReached(reason)

    def _view(self) -> View:
        return View(task=self.task, steps=self.steps, seed=self.seed, moment=self._moment)

    def _keep(self, step: Step) -> None:
        self.steps.append(step)
        if step.outcome.kind not in ("no_change", "unparsable", "refused") and step.outcome.blame != "infrastructure":
            self._first.setdefault(step.candidate.digest, step.index)
        if self.strategy.better(step, self._best):
            self._best_index = step.index
        self.control.observe(
            Progress(step.index, self.caps.steps, self.steps[0].value, self._best.value, self.tape.spent)
        )

    @property
    def _best(self) -> Step:
        """The best step by validation, the earliest of equals; the baseline if none is better."""
        return self.steps[self._best_index]

    def _record(self, outcome: Outcome) -> Recorded:
        return record(outcome, self.blobs.put(outcome.log_tail) if outcome.log_tail else "")

    def _restore(self, event: Stepped) -> Outcome:
        """The outcome as a strategy and a proposer see it, the same whether it was just measured or read back."""
        stored = event.outcome
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
