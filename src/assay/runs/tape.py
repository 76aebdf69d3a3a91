"""Resume is replay: each effect of a run is taken from the record if it is there, and done if it is not.

The loop is written once, as if every run began anew. What it asks the tape for is either the next recorded event, or
the event that doing it now appends. So a resumed run walks the very path of the first one.
"""

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from assay.errors import AssayError
from assay.models.base import Completion, Prompt
from assay.runs.blobs import Blobs
from assay.runs.budget import BudgetReached, Spent
from assay.runs.events import Called, Event, Searched, Stepped
from assay.runs.journal import Journal
from assay.tasks.outcome import EvaluationClock

E = TypeVar("E", bound=Event)

CALLS = {"calls", "state"}
"""The part of a completion that is recorded apart, where a model called tools."""


class Tape:
    """A journal being replayed and then continued. Also the log of model calls that a proposer's client consults."""

    def __init__(self, journal: Journal, blobs: Blobs, check: Callable[[Spent], None]) -> None:
        """`check` is asked before every model call and raises BudgetReached when a cap is hit."""
        self._journal = journal
        self._check = check
        self._blobs = blobs
        self._recorded = list(reversed(journal.recorded))
        self._unused_calls: dict[str, list[Called]] = {}
        self._writing = threading.Lock()
        self.spent = Spent()
        for event in journal.recorded:
            self._count(event)

    @property
    def replaying(self) -> bool:
        return bool(self._recorded)

    @property
    def owes(self) -> bool:
        """Whether the record ends with calls that were paid for what did not come to pass before the run was cut."""
        return any(self._unused_calls.values())

    def next_is(self, kind: type[Event]) -> bool:
        """Whether the record goes on with an event of this kind, calls of models aside."""
        upcoming = next((event for event in reversed(self._recorded) if not isinstance(event, Called)), None)
        return isinstance(upcoming, kind)

    def take(self, kind: type[E], matches: Callable[[E], bool] = lambda _: True) -> E | None:
        """The next recorded event, or None at the end of the record, which is when the caller does the work itself.

        Raises BudgetReached where the record says that the search ended here, AssayError where something else happened.
        """
        calls = list(self._skip_calls())
        if not self._recorded:
            for call in calls:
                self._unused_calls.setdefault(call.key, []).append(call)
            return None
        if isinstance(self._recorded[-1], Searched) and kind is not Searched:
            raise BudgetReached(self._recorded[-1].reason)
        event = self._recorded.pop()
        if not isinstance(event, kind) or not matches(event):
            raise AssayError(
                f"run '{self._journal.paths.root.name}' cannot be continued: its journal holds '{event.type}' where "
                "this version of the agent would do something else",
                "the agent or the task has changed since; move the run's folder away to run it again",
            )
        return event

    def add(self, kind: type[E], evaluation: EvaluationClock | None = None, /, **fields: Any) -> E:
        """Append an event that has happened now."""
        # calls of a program's models are written down by the threads that serve them
        with self._writing:
            event = self._journal.append(kind, evaluation, **fields)
            self._count(event)
            if not isinstance(event, Called):
                self._unused_calls.clear()
        return event

    def before_call(self) -> None:
        self._check(self.spent)

    def find(self, key: str) -> Completion | None:
        """A call that was paid for before a crash and whose answer was not used yet."""
        waiting = self._unused_calls.get(key)
        if not waiting:
            return None
        return recorded_completion(waiting.pop(0), self._blobs)

    def save(self, key: str, prompt: Prompt, completion: Completion, seconds: float) -> None:
        """Put one model call on disk before its answer is used."""
        with self._blobs.together():
            texts = {
                "prompt": self._blobs.put(prompt.text),
                "answer": self._blobs.put(completion.text),
                "calls": self._blobs.put(completion.model_dump_json(include=CALLS)) if completion.calls else "",
            }
        self.add(Called, key=key, stop=completion.stop, usage=completion.usage, **texts)

    def _skip_calls(self) -> Iterator[Called]:
        while self._recorded and isinstance(self._recorded[-1], Called):
            yield self._recorded.pop()  # type: ignore[misc]

    def _count(self, event: Event) -> None:
        self.spent.seconds += event.clock.seconds
        if isinstance(event, Called):
            self.spent.usage = self.spent.usage + event.usage
        elif isinstance(event, Stepped) and event.step > 0:
            self.spent.steps += 1


def recorded_completion(call: Called, blobs: Blobs) -> Completion:
    """What the model answered. Raises AssayError if a text of it is missing or damaged."""
    calls = json.loads(blobs.get(call.calls)) if call.calls else {}
    return Completion(text=blobs.get(call.answer), stop=call.stop, usage=call.usage, **calls)
