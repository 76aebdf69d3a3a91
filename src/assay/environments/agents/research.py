"""MLAgentBench's research agent: reflection, plan and status, fact check, thought, action and its input.

Long observations are summed up; with retrieval, a research log is kept turn by turn and read again before each.
"""

import json
from collections.abc import Sequence
from dataclasses import replace

from assay.environments.actions.assisted import blocks
from assay.environments.agents.base import Decision, Desk, Turn, shortened
from assay.environments.agents.react import SectionAgent, SectionParams, summarised
from assay.environments.agents.sections import (
    ACTION,
    ACTION_INPUT,
    Section,
    Unreadable,
    parsing_error,
    read_input,
    written,
)
from assay.environments.render import render
from assay.models.base import Message, ModelUnavailable, Prompt
from assay.models.templates import fenced
from assay.runs.budget import BudgetReached

LOG_ACTION, RETRIEVAL = "Append Summary to Research Log", "Retrieval from Research Log"
LABEL = "[Observation]:"
LONG = 5_000
"""An observation of more characters is summed up."""
PLAN = "Research Plan and Status"


class ResearchParams(SectionParams):
    retrieval: bool = False
    """Keep a research log and look through it before each turn. Off in the published agent."""


class MlabResearch(SectionAgent):
    name = "mlab_research"
    summary = "plan, reflection, fact check and research log (MLAgentBench's research agent)"
    Params = ResearchParams
    corrects = True
    sections = (
        Section("Reflection", "what the last observation means; if something failed, why, and how to mend it"),
        Section(
            PLAN,
            "the whole plan, with the progress and the confirmed results of each part; what is new between double "
            "asterisks, the rest as it was",
        ),
        Section(
            "Fact Check",
            "every statement of fact among what is new, each marked as guessed or as confirmed by the last observation",
        ),
        Section("Thought", "why the next action is the right one"),
        ACTION,
        ACTION_INPUT,
    )

    def decide(self, desk: Desk, history: Sequence[Turn]) -> Decision:
        if desk.model is not None and self.params.retrieval and history:
            note = self._note(desk, history)
            if note is not None:
                return note
        return super().decide(desk, history)

    def first_prompt(self, desk: Desk) -> str:
        said = {"actions": self.told(desk), "problem": desk.problem, "budget": desk.budget, "sections": self.sections}
        return render("research", **said)

    def prompt(self, desk: Desk, history: Sequence[Turn]) -> Prompt:
        # errors in the form of an input vanish from memory once an input was in order
        last = next((n for n, turn in reversed(list(enumerate(history))) if turn.kind != "format"), -1)
        kept = [turn for number, turn in enumerate(history) if turn.kind != "format" or number > last]
        prompt = super().prompt(desk, kept)
        found = [turn.observation for turn in history if turn.action == RETRIEVAL and turn.bookkeeping]
        if not found or len([turn for turn in kept if not turn.bookkeeping]) <= self.params.max_steps_in_context:
            return prompt
        first = self.first_prompt(desk)
        past = prompt.messages[0].content.removeprefix(first).lstrip()
        told = f"What was done so far, from the research log:\n{fenced(found[-1])}\n\nThe latest steps, word for word:"
        return Prompt(messages=(Message(role="user", content=f"{first}\n\n{told}\n\n{past}"),))

    def demand(self, desk: Desk, sections: dict[str, str]) -> None:
        action = sections["Action"].strip("`* \n")
        if action not in desk.actions:
            raise Unreadable(f"there is no action '{action}'")

    def decision(self, desk: Desk, sections: dict[str, str], retries: int) -> Decision:
        """An input that cannot be read does not reach the environment: the agent is told what is wrong with it."""
        # marks of what is new must not live on as if it were new again
        kept = {**sections, PLAN: sections[PLAN].strip("`").replace("**", "")}
        action, given = sections["Action"].strip("`* \n"), sections["Action Input"]
        try:
            return Decision(action, read_input(given), written(kept), retries=retries)
        except Unreadable as error:
            problem = parsing_error(error, desk.actions[action])
            return Decision(action, given, written(kept), problem, retries)

    def shown(self, desk: Desk, decision: Decision, observation: str) -> str:
        if len(observation) <= LONG or desk.fast is None or decision.bookkeeping:
            return observation
        action = f"{decision.action}: {json.dumps(decision.arguments)[:2000]}"
        try:
            parts = [
                _labelled(summarised(desk.fast, render("summarise", action=action, block=block, where=where)))
                for block, where in blocks(observation)
            ]
            if len(parts) > 1:
                parts = [_labelled(summarised(desk.fast, render("merge", answers=parts)))]
        except (ModelUnavailable, BudgetReached):
            # the action is done and counts; a cap that is reached ends the run at the next turn
            parts = [""]
        return parts[0] or shortened(observation, LONG)

    def _note(self, desk: Desk, history: Sequence[Turn]) -> Decision | None:
        """The log entry for the last turn, then what the log says; None when both are there."""
        last = history[-1]
        if last.bookkeeping and last.action == RETRIEVAL:
            return None
        acted = [turn for turn in history if not turn.bookkeeping]
        if not last.bookkeeping:
            action = f"{last.action}: {json.dumps(last.arguments)[:2000]}"
            seen = shortened(last.observation, LONG)
            text = summarised(desk.fast, render("log_entry", action=action, observation=seen))
            content = f"Step {len(acted)}:\n{text or 'It was too long to be summed up.'}\n"
            return replace(Decision(LOG_ACTION, {"content": content}), bookkeeping=True)
        if len(acted) > self.params.max_steps_in_context:
            return replace(Decision(RETRIEVAL, {"current_plan": ""}), bookkeeping=True)
        return None


def _labelled(text: str) -> str:
    return text.partition(LABEL)[2].strip() or text
