"""Errors a user can act on: what happened, to what, and what to do next.

The command line prints them without a traceback. Anything else that escapes is a defect of Assay.
"""

from collections.abc import Iterable
from difflib import get_close_matches


class AssayError(Exception):
    """The work failed. `hint` says what to do next; may hold several lines."""

    exit_code = 1

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(AssayError):
    """The call was wrong: nothing was started and nothing was written."""

    exit_code = 2


def unknown(noun: str, name: str, known: Iterable[str], listing: str) -> UsageError:
    """An error for a name that does not exist, with the nearest names and the command that lists all of them."""
    near = get_close_matches(name, sorted(known), n=3, cutoff=0.5)
    lines = [f"nearest: {', '.join(near)}"] if near else []
    return UsageError(f"no {noun} '{name}'", "\n".join([*lines, f"all {noun}s: {listing}"]))
