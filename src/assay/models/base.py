"""The contract of a language model: a prompt in, a completion out, and a log that remembers both."""

import json
from collections import Counter
from typing import Any, Literal, Protocol, Self

from pydantic import Field, model_validator

from assay.base import Frozen
from assay.errors import AssayError
from assay.models.usage import Usage
from assay.tasks.candidate import text_digest

Reasoning = Literal["none", "minimal", "low", "medium", "high", "xhigh"]


class ModelSettings(Frozen):
    """How a model is asked. None leaves the provider's default."""

    reasoning: Reasoning | None = None
    """How hard the model may think before it answers, for models that can."""
    temperature: float | None = Field(None, ge=0)
    max_output_tokens: int = Field(16_384, gt=0)
    """Tokens of one answer at most, thought included where the provider counts it as output. It bounds what one call
    can cost, which is why it has a default of its own."""
    timeout_seconds: float = Field(300.0, gt=0)
    """How long one attempt may take before it is given up and tried again."""


class Tool(Frozen):
    """Something that a model may ask to be done."""

    name: str = Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")
    description: str
    parameters: dict[str, Any]
    """JSON schema of the arguments: of type `object`, as every provider wants it."""


class ToolCall(Frozen):
    """A model's wish to have a tool used. All of it is the model's word: none of it was checked against the tools."""

    id: str
    """Tells a call from all others of its conversation."""
    name: str
    arguments: str
    """As the model wrote them. Meant to be a JSON object; may be anything, also nothing."""

    def answered(self, result: str) -> "Message":
        """The turn that gives this call its result."""
        return Message(role="tool", content=result, answers=self.id)


class Message(Frozen):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    calls: tuple[ToolCall, ...] = ()
    """What an assistant asked to be done."""
    state: str = ""
    """An assistant's, with its calls: see Completion."""
    answers: str = ""
    """A tool's: the id of the call whose result this is."""

    @model_validator(mode="after")
    def _by_role(self) -> Self:
        if (self.calls or self.state) and self.role != "assistant":
            raise ValueError(f"calls are an assistant's, not a {self.role}'s")
        if bool(self.answers) != (self.role == "tool"):
            raise ValueError("a tool's turn, and no other, names the call that it answers")
        return self

    @property
    def text(self) -> str:
        """The turn as readable text, for the record."""
        head = f"[tool, answers {self.answers}]" if self.role == "tool" else f"[{self.role}]"
        said = [self.content] if self.content or not self.calls else []
        calls = (f"[calls {call.name}, id {call.id}]\n{call.arguments}" for call in self.calls)
        return "\n".join((head, *said, *calls))

    @property
    def parts(self) -> list[Any]:
        """All of the turn that decides an answer, as JSON. Role and content alone where there is nothing else."""
        more = self.model_dump(include={"calls", "state", "answers"}, exclude_defaults=True)
        return [self.role, self.content, *([more] if more else [])]


class Prompt(Frozen):
    """A conversation that a model is to continue, and the tools that it may call.

    Each call is answered once, before anybody else speaks: no provider takes a conversation that is otherwise.
    """

    messages: tuple[Message, ...] = Field(min_length=1)
    tools: tuple[Tool, ...] = ()

    @model_validator(mode="after")
    def _well_formed(self) -> Self:
        names = Counter(tool.name for tool in self.tools)
        if twice := [name for name, count in names.items() if count > 1]:
            raise ValueError(f"two tools have the name '{twice[0]}'")
        waiting: set[str] = set()
        for message in self.messages:
            if message.role == "tool":
                if message.answers not in waiting:
                    raise ValueError(f"there is no call '{message.answers}' that waits for a result")
                waiting.remove(message.answers)
            elif waiting:
                raise ValueError(f"call '{min(waiting)}' has no result before the next turn")
            else:
                waiting = {call.id for call in message.calls}
                if len(waiting) < len(message.calls):
                    raise ValueError("two calls of one turn have the same id")
        if waiting:
            raise ValueError(f"call '{min(waiting)}' has no result")
        return self

    @property
    def text(self) -> str:
        """The whole conversation as one readable text, for the record. Tools first: they are sent with it each time."""
        tools = (f"[tool {tool.name}]\n{tool.description}\n{json.dumps(tool.parameters)}" for tool in self.tools)
        return "\n\n".join((*tools, *(message.text for message in self.messages)))

    def key(self, model: str, settings: ModelSettings) -> str:
        """The digest of everything that decides the answer: model, settings, messages, tools.

        How long to wait decides nothing about what is answered, so it is left out; `model` is without the server's
        address for the same reason. A record can thus be replayed from anywhere.
        """
        parts: dict[str, Any] = {
            "model": model,
            "settings": settings.model_dump(exclude={"timeout_seconds"}, exclude_none=True),
            "messages": [message.parts for message in self.messages],
        }
        # not written where there are none, so that records from before there were tools are still found
        if self.tools:
            parts["tools"] = [tool.model_dump() for tool in self.tools]
        return text_digest(json.dumps(parts, sort_keys=True))

    def then(self, *messages: Message) -> "Prompt":
        """The conversation with further turns at its end."""
        return Prompt(messages=(*self.messages, *messages), tools=self.tools)


class Completion(Frozen):
    """What a model answered. A refused or empty answer is a completion too: it was paid for."""

    text: str
    stop: str = "stop"
    """`stop`: the model came to its end; `tool_call`: it waits for the results of its calls; `length`: cut off by the
    output limit; `refused`: the model or its provider's filter declined; `empty`: nothing was said and nothing called;
    `too_long`: the prompt does not fit the model's context window; anything else in the provider's words."""
    usage: Usage = Usage()
    calls: tuple[ToolCall, ...] = ()
    """In the model's order. An answer that was cut off may have some too, the last of them in part."""
    state: str = ""
    """What the provider wants back with the calls: thoughts and their signatures. Read by the client alone; empty where
    the provider wants nothing."""

    @property
    def usable(self) -> bool:
        return self.stop not in ("refused", "empty", "too_long")

    @property
    def message(self) -> Message:
        """The answer as a turn of the conversation. Its calls are to be answered right after it."""
        return Message(role="assistant", content=self.text, calls=self.calls, state=self.state)


class ModelUnavailable(AssayError):
    """The model gave no answer after every retry: the infrastructure's fault and no step of the agent's."""


class Client(Protocol):
    """A model that can be asked. Safe to share between threads.

    Raises ModelUnavailable when there is no answer after all retries, UsageError where the call itself is wrong (a key
    that is not accepted, a model that does not exist). Never raises for anything the model says.
    """

    @property
    def model(self) -> str:
        """The name under which calls are recorded and priced: `provider:model`."""

    @property
    def settings(self) -> ModelSettings: ...

    def complete(self, prompt: Prompt) -> Completion: ...


class CallLog(Protocol):
    """Where every call is written down, before its answer is used.

    A run that is resumed asks the same questions in the same order and is answered from the log, so that nothing is
    paid for twice. The same question asked twice was answered twice: records are found in order, each once.
    """

    def before_call(self) -> None:
        """Called before each call that will be paid for. Raises BudgetReached if a cap is hit."""

    def find(self, key: str) -> Completion | None:
        """The next recorded answer to this question that was not given yet; None if it must be asked."""

    def save(self, key: str, prompt: Prompt, completion: Completion, seconds: float) -> None:
        """Write down one call; on disk when this returns."""
