"""Bounded retries: what is worth another attempt, and how long to wait before it."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from assay.models.base import ModelUnavailable

T = TypeVar("T")


class Transient(Exception):
    """One attempt failed for a reason that may pass. `retry_after`: seconds the server asked to wait, if it did."""

    def __init__(self, reason: str, retry_after: float | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after = retry_after


@dataclass(frozen=True)
class RetryPolicy:
    """Exponential back-off with jitter, a bounded number of attempts."""

    attempts: int = 6
    first_seconds: float = 1.0
    longest_seconds: float = 60.0
    """No wait is longer than this, whatever the server asks for."""
    sleep: Callable[[float], None] = time.sleep
    rng: random.Random = field(default_factory=random.Random)
    """Decides about waiting alone, never about results: that is why it need not be seeded."""

    def wait(self, attempt: int, asked: float | None) -> float:
        """Seconds before the attempt after `attempt` (counted from 1).

        Between half and all of the doubled interval, so that runs which failed together do not return together; never
        less than the server asked for, up to the longest wait.
        """
        interval = min(self.longest_seconds, self.first_seconds * 2.0 ** (attempt - 1))
        jittered = interval * (0.5 + 0.5 * self.rng.random())
        return min(self.longest_seconds, max(jittered, asked or 0.0))

    def run(self, call: Callable[[], T], what: str) -> T:
        """The call's result. Raises ModelUnavailable, naming `what`, once every attempt has raised Transient."""
        for attempt in range(1, self.attempts + 1):
            try:
                return call()
            except Transient as failure:
                if attempt == self.attempts:
                    raise ModelUnavailable(
                        f"{what} gave no answer in {self.attempts} attempts; the last: {failure.reason}",
                        "the run is recorded up to here: the same command continues it",
                    ) from None
                self.sleep(self.wait(attempt, failure.retry_after))
        raise ModelUnavailable(f"{what} was not asked", "a retry policy makes at least one attempt")
