"""One step, opened: what was asked, what the model said, what changed, how it ended."""

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from assay.errors import UsageError
from assay.report.data import plain
from assay.runs.blobs import Blobs
from assay.runs.events import Called, Event, Proposed, Stepped
from assay.runs.record import RunRecord, blobs_of, read_run

Detail = dict[str, Any]


def step_detail(results: Path, run_id: str, index: int) -> Detail:
    """Raises UsageError if there is no such run or step, DamagedJournal or AssayError if it cannot be read."""
    return StepReader(results, run_id).detail(index)


class StepReader:
    """The steps of one run, for opening several of them."""

    def __init__(self, results: Path, run_id: str) -> None:
        folder = results / "runs" / run_id
        if "/" in run_id or run_id in ("", ".", "..") or not (folder / "run.json").is_file():
            raise UsageError(f"no run '{run_id}' in {results}", f"all runs: ls {results / 'runs'}")
        self._run: RunRecord = read_run(folder)
        self._blobs: Blobs = blobs_of(results)
        events = self._run.events
        self._proposed = {e.step: e for e in events if isinstance(e, Proposed)}
        self._stepped = {e.step: e for e in events if isinstance(e, Stepped)}
        self._calls = _calls_by_step(events)

    @property
    def run(self) -> RunRecord:
        return self._run

    @property
    def steps(self) -> list[int]:
        return sorted(self._stepped)

    def description(self, index: int) -> str:
        proposed = self._proposed.get(index)
        return proposed.description if proposed else "the baseline, as the task gives it"

    def outcome(self, index: int) -> Stepped:
        """Raises UsageError if the run has no such step."""
        if index not in self._stepped:
            last = max(self._stepped, default=0)
            raise UsageError(f"run '{self._run.run_id}' has no step {index}", f"its steps are 0 to {last}")
        return self._stepped[index]

    def proposed(self, index: int) -> Proposed | None:
        return self._proposed.get(index)

    def files(self, index: int) -> dict[str, str]:
        """The code of a step. Of the baseline: the texts its header names."""
        proposed = self._proposed.get(index)
        facts = self._run.header.task
        digests = proposed.files if proposed else (facts.files if facts else {})
        return {path: self._blobs.get(digest) for path, digest in sorted(digests.items())}

    def diff(self, index: int) -> str:
        """Against the step whose code was edited; empty for the baseline."""
        proposed = self._proposed.get(index)
        if proposed is None:
            return ""
        parent = proposed.request.parents[0] if proposed.request.parents else 0
        return unified(self.files(parent), self.files(index), f"step {parent}", f"step {index}")

    def detail(self, index: int) -> Detail:
        """Everything about a step that a page shows."""
        stepped = self.outcome(index)
        proposed = self._proposed.get(index)
        outcome = stepped.outcome
        detail: Detail = plain(
            {
                "run": self._run.run_id,
                "step": index,
                "request": proposed.request.model_dump() if proposed else None,
                "description": self.description(index),
                "outcome": outcome.model_dump(exclude={"log"}),
                "repeats": stepped.repeats,
                "log": self._blobs.get(outcome.log) if outcome.log else "",
                "diff": self.diff(index),
                "files": self.files(index),
                "calls": [self._call(call) for call in self._calls.get(index, [])],
                "usage": proposed.usage.model_dump() if proposed else None,
                "seconds": stepped.clock.seconds + (proposed.clock.seconds if proposed else 0.0),
                "evaluation": stepped.clock.evaluation.model_dump() if stepped.clock.evaluation else None,
            }
        )
        return detail

    def _call(self, call: Called) -> Detail:
        return {
            "prompt": self._blobs.get(call.prompt),
            "answer": self._blobs.get(call.answer),
            "stop": call.stop,
            "usage": call.usage.model_dump(),
            "seconds": call.clock.seconds,
        }


def unified(before: dict[str, str], after: dict[str, str], was: str, now: str) -> str:
    """A unified diff over all files of two candidates."""
    lines: list[str] = []
    for path in sorted(before.keys() | after.keys()):
        old, new = before.get(path, "").splitlines(), after.get(path, "").splitlines()
        lines += difflib.unified_diff(old, new, f"{path} ({was})", f"{path} ({now})", lineterm="")
    return "\n".join(lines)


def _calls_by_step(events: Iterable[Event]) -> dict[int, list[Called]]:
    """A step's calls stand before its `proposed`; those before an `asked` are shown with the step that follows."""
    found: dict[int, list[Called]] = {}
    waiting: list[Called] = []
    for event in events:
        if isinstance(event, Called):
            waiting.append(event)
        elif isinstance(event, Proposed):
            found[event.step] = waiting
            waiting = []
    return found
