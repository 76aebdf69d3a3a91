"""The books of one gateway: whether a call may be made, and what it used, told to whoever keeps the run's record."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any

from assay.environments.command.gateway.answers import Answer, Counts, read_answer
from assay.environments.command.gateway.wires import Refusal, Wire
from assay.errors import AssayError
from assay.models.base import Completion
from assay.models.prices import CHARACTERS_PER_TOKEN, price
from assay.models.usage import Usage
from assay.runs.budget import BudgetReached

ERROR_CHARACTERS = 2000
"""How much of a provider's own words is kept of a call that failed."""


@dataclass(frozen=True)
class GatewayCall:
    """One call that a program made, as it is recorded."""

    model: str
    """`provider:model`, as calls are recorded and priced."""
    request: str
    """The JSON that went to the provider."""
    completion: Completion
    """The answer, put together if it was a stream, and what it used. `stop` is `error` for a call that failed, with the
    provider's words as text, and `broken` for an answer that did not come to its end."""
    seconds: float
    status: int
    """The provider's; 502 if it could not be reached or never answered."""
    measured: bool
    """Whether the provider said what was used. If not, the tokens are an upper bound by the length of the texts."""


@dataclass(eq=False)
class OpenCall:
    """A call between its question and the end of its answer."""

    wire: Wire
    model: str
    request: str
    started: float = field(default_factory=time.monotonic)
    payloads: list[Any] = field(default_factory=list)
    """The JSON of the answer, as far as it came."""


class Books:
    """Asks before every call and tells after it, one thread at a time. `lock` is held during both."""

    def __init__(
        self,
        before: Callable[[str], None],
        after: Callable[[GatewayCall], None],
        lock: "threading.Lock | None",
    ) -> None:
        self._before = before
        self._after = after
        self._changed = threading.Condition(lock)
        self._open: set[OpenCall] = set()
        self._closed = False
        self.failure: BaseException | None = None
        """The first thing that went wrong on our side; after it, nothing is passed on any more."""

    def begin(self, wire: Wire, model: str, request: str) -> OpenCall:
        """Raises Refusal if the budget, or whoever is asked, does not allow the call."""
        with self._changed:
            if self._closed:
                raise Refusal(HTTPStatus.SERVICE_UNAVAILABLE, "the run has ended")
            try:
                self._before(model)
            except BudgetReached as error:
                raise Refusal(
                    HTTPStatus.PAYMENT_REQUIRED,
                    f"the budget of this run is used up ({error.reason}): no further call of a model will be answered",
                ) from None
            except AssayError as error:
                hint = f"; {error.hint}" if error.hint else ""
                raise Refusal(HTTPStatus.FORBIDDEN, f"{error.message}{hint}") from None
            except BaseException as error:
                raise self._fail(error) from None
            call = OpenCall(wire, model, request)
            self._open.add(call)
            return call

    def end(self, call: OpenCall, status: int, error: str | None = None) -> None:
        """Tell of a call that was answered, as far as it was; with `error`, of one that failed and so cost nothing.

        Once: later words about the same call are dropped.
        """
        with self._changed:
            self._tell(call, status, error)
            self._changed.notify_all()

    def close(self, grace_seconds: float) -> None:
        """Allow no further call, give open ones a moment to end, and tell of the rest as they are."""
        with self._changed:
            self._closed = True
            self._changed.wait_for(lambda: not self._open, grace_seconds)
            for call in list(self._open):
                self._tell(call, HTTPStatus.BAD_GATEWAY, None)

    def _tell(self, call: OpenCall, status: int, error: str | None) -> None:
        if call not in self._open:
            return
        self._open.remove(call)
        seconds = time.monotonic() - call.started
        try:
            if error is not None:
                completion, measured = Completion(text=error[:ERROR_CHARACTERS], stop="error"), True
            else:
                answer = read_answer(call.wire, call.payloads)
                completion, measured = _completion(call, answer), answer.counts is not None
            self._after(GatewayCall(call.model, call.request, completion, seconds, status, measured))
        except BaseException as raised:
            self._fail(raised)

    def _fail(self, error: BaseException) -> Refusal:
        self.failure = self.failure or error
        self._closed = True
        return Refusal(HTTPStatus.SERVICE_UNAVAILABLE, "the harness failed; the run cannot go on")


def _completion(call: OpenCall, answer: Answer) -> Completion:
    counts = answer.counts or _bound(call.request, answer)
    usage = Usage(
        calls=1,
        input_tokens=counts.input,
        cached_tokens=counts.cached,
        output_tokens=counts.output,
        reasoning_tokens=counts.reasoning,
    )
    dollars = price(call.model, usage, counts.written, counts.written_for_an_hour)
    return Completion(
        text=answer.text,
        stop=answer.stop or "broken",
        usage=usage.model_copy(update={"usd": dollars}),
        calls=answer.calls,
    )


def _bound(request: str, answer: Answer) -> Counts:
    """No fewer tokens than what is seen took: no program is to have them for nothing by breaking an answer off."""
    said = len(answer.text) + sum(len(call.arguments) for call in answer.calls)
    return Counts(int(len(request) / CHARACTERS_PER_TOKEN) + 1, int(said / CHARACTERS_PER_TOKEN) + 1)
