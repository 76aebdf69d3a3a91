"""The contract of a language model: a prompt in, a completion out, and a log that remembers both."""

import json
from typing import Literal, Protocol

from pydantic import Field

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


class Message(Frozen):
    """One turn of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


class Prompt(Frozen):
    """A conversation that a model is to continue."""

    messages: tuple[Message, ...] = Field(min_length=1)

    @property
    def text(self) -> str:
        """The whole conversation as one readable text, for the record."""
        return "\n\n".join(f"[{message.role}]\n{message.content}" for message in self.messages)

    def key(self, model: str, settings: ModelSettings) -> str:
        """The digest of everything that decides the answer: model, settings, messages.

        How long to wait decides nothing about what is answered, so it is left out; `model` is without the server's
        address for the same reason. A record can thus be replayed from anywhere.
        """
        parts = {
            "model": model,
            "settings": settings.model_dump(exclude={"timeout_seconds"}, exclude_none=True),
            "messages": [[message.role, message.content] for message in self.messages],
        }
        return text_digest(json.dumps(parts, sort_keys=True))

    def then(self, *messages: Message) -> "Prompt":
        """The conversation with further turns at its end."""
        return Prompt(messages=(*self.messages, *messages))


class Completion(Frozen):
    """What a model answered. A refused or empty answer is a completion too: it was paid for."""

    text: str
    stop: str = "stop"
    """`stop`: the model came to its end; `length`: cut off by the output limit; `refused`: the model or its provider's
    filter declined; `empty`: nothing was said; `too_long`: the prompt does not fit the model's context window;
    anything else in the provider's words."""
    usage: Usage = Usage()

    @property
    def usable(self) -> bool:
        return self.stop not in ("refused", "empty", "too_long")


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
