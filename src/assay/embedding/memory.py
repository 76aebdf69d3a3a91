"""Results remembered by the text they were computed from, within bounds that no agent's code can move."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import TypeVar, TypeVarTuple

Rest = TypeVarTuple("Rest")
Result = TypeVar("Result")

_memories: list[Callable[[], None]] = []
"""For each memory what empties it."""


def remember(entries: int, longest: int) -> Callable[[Callable[[str, *Rest], Result]], Callable[[str, *Rest], Result]]:
    """Remember the last `entries` results of a function of a text, if that has no more than `longest` characters.

    A longer text is looked at anew each time: it is rare, and many of them would fill the machine's memory.
    """

    def decorate(function: Callable[[str, *Rest], Result]) -> Callable[[str, *Rest], Result]:
        recall = lru_cache(maxsize=entries)(function)
        _memories.append(recall.cache_clear)

        @wraps(function)
        def remembered(text: str, *rest: *Rest) -> Result:
            return recall(text, *rest) if len(text) <= longest else function(text, *rest)

        return remembered

    return decorate


def forget() -> None:
    """Forget everything, as a process that has just begun. Changes no result, only how long the next one takes."""
    for empty in _memories:
        empty()
