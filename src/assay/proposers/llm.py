"""The language-model proposer: a prompt, an answer, and repairs until the answer can be used or the tries are spent."""

from dataclasses import dataclass

from assay.models.base import CallLog, Client, Completion, Message, ModelSettings
from assay.models.logged import LoggedClient
from assay.models.prices import worst_call, worst_conversation
from assay.models.usage import Usage
from assay.proposers.base import Proposal, View
from assay.proposers.edits.apply import Edited, apply_answer, size_limit
from assay.proposers.edits.describe import describe
from assay.proposers.render import ask_prompt, longest_prompt, repair_message, request_prompt
from assay.proposers.words import read_words
from assay.strategies.memory import metric_line, phrase
from assay.strategies.request import Answer, Ask, Request, Step
from assay.tasks.load import Task
from assay.tasks.outcome import Kind, Outcome

REPAIRS = 2
"""How often an answer that cannot be used goes back to the model within one step."""
REPAIR_CHARS = 20_000
"""The longest message that sends an answer back."""

UNUSABLE = {
    "refused": "the model refused to answer",
    "empty": "the model answered nothing",
    "too_long": "the prompt does not fit into the model's context window",
}


@dataclass(frozen=True)
class Fault:
    """Why an answer is not worth an evaluation."""

    kind: Kind
    problems: tuple[str, ...]


class LlmProposer:
    """Answers requests with a language model. Keeps nothing between calls: all that a model knows is its prompt."""

    def __init__(self, client: Client, log: CallLog, repairs: int = REPAIRS) -> None:
        """Every call of `client` goes through `log`, which may answer it from the record or stop it for the budget."""
        self._client = LoggedClient(client, log)
        self._repairs = repairs

    def propose(self, request: Request, view: View) -> Proposal:
        """Raises BudgetReached, ModelUnavailable or UsageError between two calls; never for what a model says."""
        if request.kind in ("repeat", "solution", "noise"):
            return _failed("no_change", f"a model cannot answer a request of kind '{request.kind}'", Usage())
        parent = view.steps[request.parents[0]]
        prompt = request_prompt(request, view)
        usage, repairs = Usage(), self._repairs
        while True:
            completion = self._client.complete(prompt)
            usage += completion.usage
            if not completion.usable:
                return _failed("refused", UNUSABLE[completion.stop], usage)
            limit = size_limit(view.task.baseline)
            edited = apply_answer(completion.text, parent.candidate, view.task.spec, limit)
            fault = _fault(edited, completion, parent, view)
            if fault is None:
                assert edited.candidate is not None
                description = describe(edited.summary, parent.candidate, edited.candidate)
                return Proposal(candidate=edited.candidate, description=description, usage=usage)
            if repairs == 0:
                return _failed(fault.kind, phrase(" / ".join(fault.problems)), usage)
            repairs -= 1
            said = Message(role="assistant", content=completion.text)
            prompt = prompt.then(said, repair_message(fault.kind, fault.problems))

    def answer(self, ask: Ask, view: View) -> Answer:
        """Raises as `propose` does. An answer that was refused or is empty has no texts."""
        completion = self._client.complete(ask_prompt(ask, view))
        texts = read_words(ask, completion.text) if completion.usable else ()
        return Answer(texts=texts, usage=completion.usage)


def worst_request(task: Task, settings: ModelSettings, repairs: int = REPAIRS) -> tuple[Usage, ...]:
    """The calls that one request can lead to at most, each with the most tokens it can use."""
    # a repair sends everything again, with the answer that failed and what was wrong with it
    return worst_conversation(settings, longest_prompt(task), repairs + 1, REPAIR_CHARS)


def worst_ask(task: Task, settings: ModelSettings) -> Usage:
    """The call that one question leads to, with the most tokens it can use."""
    return worst_call(settings, longest_prompt(task))


def _fault(edited: Edited, completion: Completion, parent: Step, view: View) -> Fault | None:
    if edited.candidate is None:
        cut = ("the answer was cut off at the output limit: be shorter",) if completion.stop == "length" else ()
        return Fault("unparsable", cut + edited.problems)
    if not edited.changed(parent.candidate):
        return Fault("no_change", ("the program is the same as before; comments and formatting do not count",))
    for step in view.steps:
        # what failed through no fault of the code may be tried again
        if step.candidate.digest == edited.candidate.digest and step.outcome.blame != "infrastructure":
            result = metric_line(f"step {step.index}", view.task.spec.metric, step.value)
            return Fault("no_change", (f"this is the code of an earlier step; {result}",))
    return None


def _failed(kind: Kind, message: str, usage: Usage) -> Proposal:
    return Proposal(candidate=None, failure=Outcome(kind=kind, blame="agent", message=message), usage=usage)
