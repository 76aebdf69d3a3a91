"""Agents that answer with an action, and with a thought before it: MLAgentBench's two minimal ones."""

from collections.abc import Sequence
from typing import ClassVar

from pydantic import Field, field_validator

from assay.environments.actions.catalogue import CATALOGUE, HIDDEN, ActionInfo
from assay.environments.agents.base import Decision, Desk, InteractiveAgent, InteractiveParams, Turn, given_up
from assay.environments.agents.offline import decide_offline
from assay.environments.agents.sections import (
    ACTION,
    ACTION_INPUT,
    THOUGHT,
    Section,
    Unreadable,
    read_input,
    read_sections,
    remembered,
    written,
)
from assay.environments.render import render
from assay.models.base import Client, Completion, Message, Prompt


class SectionParams(InteractiveParams):
    """What an agent can be told that answers in sections."""

    max_steps_in_context: int = Field(3, ge=1)
    """How many past turns it is shown."""
    max_observation_steps_in_context: int = Field(3, ge=0)
    """How many of these with what came back."""
    max_retries: int = Field(5, ge=1)
    """How often it is asked before a run ends for want of an answer that can be read."""
    actions_add_to_prompt: tuple[str, ...] = ()
    """Of the actions that it is not told of, those that it is told of all the same."""
    actions_remove_from_prompt: tuple[str, ...] = ()
    """Actions that it is not told of. They can be called all the same."""

    @field_validator("actions_add_to_prompt", "actions_remove_from_prompt")
    @classmethod
    def _exist(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in CATALOGUE:
                raise ValueError(f"there is no action '{name}'")
        return names


class SectionAgent(InteractiveAgent):
    """Common to all that answer in sections."""

    Params = SectionParams
    sections: ClassVar[tuple[Section, ...]]
    corrects: ClassVar[bool] = False
    """Whether the model is told what was wrong before it is asked again."""

    def decide(self, desk: Desk, history: Sequence[Turn]) -> Decision:
        if desk.model is None:
            return decide_offline(desk, history)
        prompt = self.prompt(desk, history)
        names = [section.name for section in self.sections]
        stop = ""
        for retry in range(self.params.max_retries):
            completion = desk.model.complete(prompt)
            stop = completion.stop
            try:
                found = _sections(completion, names)
                self.demand(desk, found)
            except Unreadable as error:
                if stop == "too_long":
                    return given_up(stop, retry + 1)
                if self.corrects:
                    said = Message(role="assistant", content=completion.text or "(nothing)")
                    wrong = render("wrong_form", problem=str(error), sections=names)
                    prompt = prompt.then(said, Message(role="user", content=wrong))
                continue
            return self.decision(desk, found, retry)
        return given_up(stop, self.params.max_retries)

    def prompt(self, desk: Desk, history: Sequence[Turn]) -> Prompt:
        first = self.first_prompt(desk)
        turns = [turn for turn in history if not turn.bookkeeping][-self.params.max_steps_in_context :]
        past = remembered(turns, self.params.max_observation_steps_in_context)
        return Prompt(messages=(Message(role="user", content="\n\n".join(filter(None, [first, past]))),))

    def first_prompt(self, desk: Desk) -> str:
        said = {"actions": self.told(desk), "problem": desk.problem, "budget": desk.budget, "sections": self.sections}
        return render("simple", **said)

    def told(self, desk: Desk) -> list[ActionInfo]:
        """The actions in the prompt. The others may be called all the same."""
        hidden = {*HIDDEN, *self.params.actions_remove_from_prompt} - {*self.params.actions_add_to_prompt}
        return [info for name, info in desk.actions.items() if name not in hidden]

    def motive(self, said: str) -> str:
        try:
            return read_sections(said, [THOUGHT.name, ACTION.name])[THOUGHT.name]
        except Unreadable:
            return "" if said.startswith(ACTION.name) else said

    def demand(self, desk: Desk, sections: dict[str, str]) -> None:
        """Raises Unreadable for an answer that is to be asked for again."""

    def decision(self, desk: Desk, sections: dict[str, str], retries: int) -> Decision:
        """An input that cannot be read goes to the environment as it is, and costs a turn."""
        action, given = sections["Action"].strip("`* \n"), sections["Action Input"]
        try:
            return Decision(action, read_input(given), written(sections), retries=retries)
        except Unreadable:
            return Decision(action, given, written(sections), retries=retries)


class ActionOnly(SectionAgent):
    name = "action_only"
    summary = "answers with an action and nothing else (MLAgentBench's minimal agent)"
    sections = (ACTION, ACTION_INPUT)


class React(SectionAgent):
    name = "react"
    summary = "a thought, then an action (ReAct, as in MLAgentBench)"
    sections = (THOUGHT, ACTION, ACTION_INPUT)


def _sections(completion: Completion, names: Sequence[str]) -> dict[str, str]:
    if not completion.usable:
        raise Unreadable(f"there was no answer ({completion.stop})")
    return read_sections(completion.text, names)


def summarised(client: Client | None, text: str) -> str:
    """One question to the fast model; empty if there is none or it has nothing to say."""
    if client is None:
        return ""
    completion = client.complete(Prompt(messages=(Message(role="user", content=text),)))
    return completion.text.strip() if completion.usable else ""
