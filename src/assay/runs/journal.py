"""Writing a run: one process appends, each event is on disk before the next action starts."""

import fcntl
import json
import os
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TypeVar

from assay.errors import AssayError, UsageError
from assay.files import drop_cut_line, write_whole
from assay.runs.events import Clock, Event
from assay.runs.paths import RunPaths
from assay.runs.record import Header, read_events, read_run
from assay.runs.spec import RunSpec
from assay.tasks.outcome import EvaluationClock

E = TypeVar("E", bound=Event)


class JournalBusy(AssayError):
    """Another process writes this journal."""


class Journal:
    """The journal of one run, open for writing. A context manager: leaving it lets the journal go.

    A kill at any instant leaves whole events and at most one cut line, which the next opening removes.
    """

    def __init__(self, paths: RunPaths, header: Header, events: list[Event], lock: int) -> None:
        self.paths = paths
        self.header = header
        self.recorded = events
        """What was already there when the journal was opened."""
        self._lock = lock
        self._file = paths.events.open("ab")
        self._last = time.monotonic()

    def append(self, make: type[E], evaluation: EvaluationClock | None = None, /, **fields: Any) -> E:
        """Write one event and return it only when it is on disk.

        Its clock says how long it is since the event before it, so the clocks of a journal add up to a run's time.
        """
        now = time.monotonic()
        clock = Clock(at=round(time.time(), 3), seconds=round(now - self._last, 6), evaluation=evaluation)
        event = make(clock=clock, **fields)
        self._file.write(event.model_dump_json().encode("utf-8", "surrogatepass") + b"\n")
        self._file.flush()
        # fsync before the next action starts: a step that is not on disk has not happened, so a resumed run repeats it
        os.fsync(self._file.fileno())
        self._last = now
        return event

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self._file.close()
        os.close(self._lock)


def open_journal(paths: RunPaths, spec: RunSpec, make_header: Callable[[], Header]) -> Journal:
    """Open a run's journal, or begin it with `make_header()`.

    Raises JournalBusy if another process holds it, and UsageError if it was begun with other arguments.
    """
    if paths.header.exists():
        refuse_changes(paths, spec)
    paths.root.mkdir(parents=True, exist_ok=True)
    lock = os.open(paths.lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(lock)
        raise JournalBusy(
            f"run '{paths.root.name}' is being written by another process", "wait for it, or use another --out"
        ) from None
    if not paths.header.exists():
        write_whole(paths.header, make_header().model_dump_json(indent=2) + "\n")
    drop_cut_line(paths.events)
    return Journal(paths, read_run(paths.root).header, list(read_events(paths.events)), lock)


def refuse_changes(paths: RunPaths, spec: RunSpec) -> None:
    """Raises UsageError if the run in this folder was begun with other arguments, naming each that differs."""
    old = read_run(paths.root).header.spec.model_dump()
    new = spec.model_dump()
    changes = [f"{key}: was {was}, is now {now}" for key, was, now in _differences(old, new)]
    if changes:
        raise UsageError(
            f"run '{paths.root.name}' was begun with other arguments",
            "\n".join([*changes, "give the old arguments to continue it, or another --out to begin anew"]),
        )


def _differences(old: dict[str, Any], new: dict[str, Any], prefix: str = "") -> list[tuple[str, str, str]]:
    found = []
    for key in sorted(old.keys() | new.keys()):
        was, now = old.get(key), new.get(key)
        if isinstance(was, dict) and isinstance(now, dict):
            found += _differences(was, now, f"{prefix}{key}.")
        elif was != now:
            found.append((prefix + key, json.dumps(was), json.dumps(now)))
    return found
