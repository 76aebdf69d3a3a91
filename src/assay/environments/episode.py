"""One run of an interactive agent: turns in its workspace, steps where the code is measured, and a submission.

Every turn is on disk before the next begins. A resumed run repeats the recorded turns without doing anything, then goes
on.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assay.environments.actions.base import Doing, Helpers
from assay.environments.actions.catalogue import EDITING
from assay.environments.agents.base import Decision, Desk, InteractiveAgent, Turn
from assay.environments.environment import VALIDATE, Observation, act, available
from assay.environments.measured import described, refusal
from assay.environments.render import render
from assay.environments.workspace import ActionError, Workspace, candidate_in, open_workspace
from assay.evaluation.evaluate import Runner
from assay.models.base import Client
from assay.models.names import OFFLINE
from assay.proposers.base import Proposal, View
from assay.runs.agents import Opened
from assay.runs.budget import BudgetReached
from assay.runs.events import Acted, Finished, Primitive, Reason
from assay.runs.session import Session
from assay.strategies.request import Request, Step
from assay.tasks.candidate import Candidate
from assay.tasks.outcome import Outcome
from assay.tasks.spec import Limits

MEMORY_MB, PROCESSES, SCRATCH_MB, OUTPUT_MB = 2048, 64, 256, 64
SAID_CHARS = 200


@dataclass
class Episode:
    """An agent in its workspace, within a session."""

    session: Session
    agent: InteractiveAgent
    workspace: Workspace
    runner: Runner
    model: Client | None
    helpers: Helpers
    seed: int
    history: list[Turn] = field(default_factory=list)
    _taken: int = 0
    """Turns of the budget so far: all but bookkeeping."""
    _base: int = 0
    """The step whose code the present code was made from."""
    _edits: list[str] = field(default_factory=list)
    """What was changed since, in the agent's words."""
    _live: bool = False
    """The turn at hand was done now, and not read from the record."""

    def run(self) -> Finished:
        """Raises Interrupted, ModelUnavailable or AssayError; the journal then holds all that happened before."""
        self.session.begin()
        ends: Reason | None = None
        while ends is None:
            ends = self._turn()
        return self.session.finish(ends, self._submitted())

    def _turn(self) -> Reason | None:
        index = len(self.history)
        self._live = False
        try:
            event = self.session.act(index, lambda: self._do(index))
        except BudgetReached as reached:
            reason = reached.reason
            event = self.session.end(index, lambda: self._closed(index, reason))
        self._follow(event)
        step = self._validated(index) if event.validates else None
        self.history.append(self._turn_of(event, step))
        self._taken += not event.bookkeeping
        return event.ends

    def _do(self, index: int) -> Mapping[str, Any]:
        self._live = True
        if self._taken >= self.agent.params.max_turns:
            return self._closed(index, "turns")
        desk = self._desk()
        decision = self.agent.decide(desk, self.history)
        if decision.ends is not None:
            return self._closed(index, decision.ends, decision.retries)
        doing = self._doing()
        observation = self._observed(decision, doing)
        if observation.kind == "ok" and decision.action == VALIDATE:
            refused = self._unneeded()
            validates, observation = refused is None, refused or observation
        else:
            validates = bool(doing.ran) and self._worth_a_step()
        shown = self.agent.shown(desk, decision, observation.text)
        return {
            **self._event(index, decision, observation, doing, shown),
            "validates": validates,
            "ends": "submitted" if observation.kind == "end" else None,
        }

    def _observed(self, decision: Decision, doing: Doing) -> Observation:
        if decision.problem:
            return Observation(decision.problem, "format")
        return act(decision.action, decision.arguments, doing)

    def _event(
        self, index: int, decision: Decision, observation: Observation, doing: Doing, shown: str
    ) -> Mapping[str, Any]:
        put = self.session.blobs.put
        return {
            "turn": index,
            "said": put(decision.said) if decision.said else "",
            "action": _in_short(decision.action),
            "arguments": put(json.dumps(decision.arguments)),
            "kind": observation.kind,
            "observation": put(observation.text),
            "shown": put(shown) if shown != observation.text else "",
            "primitives": tuple(
                Primitive(action=name, arguments=put(json.dumps(given)), observation=put(seen))
                for name, given, seen in doing.primitives
            ),
            "changes": self.workspace.end_turn(),
            "exit_code": doing.exit_code,
            "ran": doing.ran,
            "bookkeeping": decision.bookkeeping,
            "retries": decision.retries,
        }

    def _closed(self, index: int, reason: str, retries: int = 0) -> Mapping[str, Any]:
        """The end that the harness sets where the agent does not. What a broken-off turn changed is kept."""
        self._live = True
        put = self.session.blobs.put
        said = f"The environment is closed ({reason}). What is there is handed in."
        facts = {"turn": index, "action": "", "arguments": put('""'), "observation": put(said), "kind": "closed"}
        return {**facts, "changes": self.workspace.end_turn(), "retries": retries, "ends": reason}

    def _follow(self, event: Acted) -> None:
        """Bring workspace and notes to where they were after this turn."""
        arguments = json.loads(self.session.blobs.get(event.arguments))
        if not self._live:
            self.workspace.repeat_turn(event.changes, undoing=event.action == "Undo Edit Script")
        if not event.changes:
            return
        known = self._known()
        if known is not None:
            self._base, self._edits = known.index, []
        elif event.action in EDITING:
            motive = self.agent.motive(self.session.blobs.get(event.said)) if event.said else ""
            said = str(arguments.get("edit_instruction") or motive)
            name = next(
                (str(arguments[key]) for key in ("save_name", "file_name", "script_name") if key in arguments), ""
            )
            self._edits.append(f"{event.action} {_in_short(name)}: {_in_short(said)}".rstrip(": "))

    def _turn_of(self, event: Acted, step: Step | None) -> Turn:
        get = self.session.blobs.get
        observation = get(event.shown or event.observation)
        if step is not None and event.action == VALIDATE:
            observation = self._described(step)
        return Turn(
            said=get(event.said) if event.said else "",
            action=event.action,
            arguments=json.loads(get(event.arguments)),
            kind=event.kind,
            observation=observation,
            exit_code=event.exit_code,
            bookkeeping=event.bookkeeping,
        )

    def _validated(self, index: int) -> Step:
        """A step: the code as it is after the turn."""
        step = self.session.measure(self._request(f"turn {index}"), self._proposal)
        self._base, self._edits = step.index, []
        return step

    def _submitted(self) -> int:
        """The step that is tested: what the workspace holds at the end, measured now if it never was."""
        known = self._known()
        if known is not None:
            return known.index
        if self.session.caps.steps == 0:
            return 0
        step = self.session.measure(self._request("submission"), self._proposal)
        # without an answer there is nothing to test but the starter
        return step.index if step.outcome.kind != "unparsable" else 0

    def _request(self, origin: str) -> Request:
        return Request(kind="act", parents=(self._base,), origin=origin)

    def _proposal(self) -> Proposal:
        try:
            candidate = candidate_in(self.workspace, self.session.task)
        except ActionError as error:
            return Proposal(candidate=None, failure=Outcome(kind="unparsable", blame="agent", message=str(error)))
        return Proposal(candidate=candidate, description="; ".join(self._edits)[: 4 * SAID_CHARS])

    def _known(self) -> Step | None:
        """The step that measured just this code already."""
        code = self._code()
        return next((step for step in self.session.steps if code and step.candidate.digest == code.digest), None)

    def _code(self) -> Candidate | None:
        try:
            return candidate_in(self.workspace, self.session.task)
        except ActionError:
            return None

    def _left(self) -> int | None:
        """Validations that are left; the last of the budget is kept for what is handed in."""
        cap = self.session.caps.steps
        return None if cap is None else max(cap - len(self.session.steps), 0)

    def _worth_a_step(self) -> bool:
        return self._left() != 0 and self._known() is None

    def _unneeded(self) -> Observation | None:
        """The answer to Validate where there is nothing to measure, or nothing left to measure it with."""
        known = self._known()
        if not self.session.task.spec.feedback:
            return Observation("EnvError: this task measures nothing before the end", "error")
        if known is not None:
            return Observation(self._described(known), "ok")
        return Observation(refusal(), "error") if self._left() == 0 else None

    def _described(self, step: Step) -> str:
        said, left = described(step, self.session.task.spec), self._left()
        return said if left is None else f"{said}\nValidations left: {left}, and one for what is handed in."

    def _doing(self) -> Doing:
        spec = self.session.task.spec
        hours = self.session.caps.hours
        seconds = self.agent.params.script_seconds
        if hours is not None:
            seconds = max(min(seconds, hours * 3600 - self.session.tape.spent.seconds), 1.0)
        limits = Limits(
            seconds=seconds,
            memory_mb=max(MEMORY_MB, spec.limits.memory_mb),
            processes=max(PROCESSES, spec.limits.processes),
            scratch_mb=max(SCRATCH_MB, spec.limits.scratch_mb),
            output_mb=OUTPUT_MB,
        )
        return Doing(self.workspace, self.runner, limits, self.helpers, self.session.task.prompt)

    def _desk(self) -> Desk:
        session, task = self.session, self.session.task
        budget = render(
            "budget",
            turns=self.agent.params.max_turns,
            seconds=self.agent.params.script_seconds,
            validations=session.caps.steps if task.spec.feedback else None,
            editable=task.spec.editable,
            modules=task.spec.script is not None,
            fixed=sorted(self.workspace.fixed),
        )
        return Desk(
            problem=task.prompt.strip(),
            budget=budget,
            actions=available(self._doing()),
            workspace=self.workspace,
            on_task=View(task=task, steps=session.steps, seed=self.seed, moment=session.moment),
            validations=self._left() if task.spec.feedback else 0,
            model=self.model,
            fast=self.helpers.fast,
        )


def _in_short(words: str) -> str:
    """An agent's words for the journal: not too many, and without half characters, which it cannot hold."""
    return words[:SAID_CHARS].encode("utf-8", "replace").decode()


def begin(agent: InteractiveAgent, opened: Opened) -> Episode:
    """An agent at its desk: workspace, models and sandbox of an opened run."""
    spec, session = opened.spec, opened.session
    model = fast = edit = None
    if agent.proposer == "model" and spec.model != OFFLINE:
        model = opened.client(spec.model)
        fast = opened.client(agent.params.fast_model) if agent.params.fast_model else model
        edit = opened.client(agent.params.edit_model) if agent.params.edit_model else model
    workspace = open_workspace(session.task, spec.seed, session.blobs)
    return Episode(session, agent, workspace, opened.sandbox, model, Helpers(fast, edit), spec.seed)
