"""One step, opened: what was asked, what the model said, what changed, how it ended."""

import difflib
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from assay.errors import AssayError, UsageError
from assay.report.data import plain
from assay.runs.blobs import Blobs
from assay.runs.events import Acted, Called, Event, Proposed, Stepped
from assay.runs.paths import ResultPaths
from assay.runs.record import RunRecord, blobs_of, read_run
from assay.tasks.spec import Metric

Detail = dict[str, Any]
E = TypeVar("E", Called, Acted)
RUN_ID = re.compile(r"(?!\.)[\w.-]+")
DIGEST = re.compile(r"[0-9a-f]{64}")


def run_folder(results: Path, run_id: str) -> Path:
    """Where a run lies. Raises UsageError unless the name is that of a run in these results, and no path."""
    folder = ResultPaths(results).run(run_id).root
    if not RUN_ID.fullmatch(run_id) or not (folder / "run.json").is_file():
        raise UsageError(f"no run '{run_id}' in {results}", f"all runs: ls {results / 'runs'}")
    return folder


class StepReader:
    """The steps of one run, for opening several of them.

    Raises UsageError if there is no such run, DamagedJournal if it cannot be read.
    """

    def __init__(self, results: Path, run_id: str) -> None:
        self._run: RunRecord = read_run(run_folder(results, run_id))
        self._blobs: Blobs = blobs_of(results)
        events = self._run.events
        self._proposed = {e.step: e for e in events if isinstance(e, Proposed)}
        self._stepped = {e.step: e for e in events if isinstance(e, Stepped)}
        self._calls = _led_to(events, Called)
        self._turns = _led_to(events, Acted)

    @property
    def run(self) -> RunRecord:
        return self._run

    @property
    def metric(self) -> Metric | None:
        """None for a run that does not describe its task."""
        return self._run.header.task.metric if self._run.header.task else None

    @property
    def steps(self) -> list[int]:
        return sorted(self._stepped)

    def parent(self, index: int) -> int:
        """The step whose code was edited; the baseline where the journal names none that came before."""
        proposed = self._proposed.get(index)
        parent = proposed.request.parents[0] if proposed and proposed.request.parents else 0
        return parent if parent < index and parent in self._stepped else 0

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
        return {path: self._text(digest) for path, digest in sorted(digests.items())}

    def log(self, index: int) -> str:
        digest = self.outcome(index).outcome.log
        return self._words(digest) if digest else ""

    def diff(self, index: int) -> str:
        """Against the step whose code was edited; empty for the baseline."""
        if index not in self._proposed:
            return ""
        parent = self.parent(index)
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
                "request": self._request(proposed) if proposed else None,
                "description": self.description(index),
                "outcome": outcome.model_dump(exclude={"log"}),
                "repeats": stepped.repeats,
                "log": self.log(index),
                "diff": self.diff(index),
                "files": self.files(index),
                "turns": self.turns(index),
                "calls": [self._call(call) for call in self._calls.get(index, [])],
                "usage": proposed.usage.model_dump() if proposed else None,
                "seconds": stepped.clock.seconds + (proposed.clock.seconds if proposed else 0.0),
                "evaluation": stepped.clock.evaluation.model_dump() if stepped.clock.evaluation else None,
            }
        )
        return detail

    def turns(self, index: int) -> list[Detail]:
        """What an interactive agent did to come to this step; with the last step, also what it did after it."""
        return [self._turn(turn) for turn in self._turns.get(index, [])]

    def rows(self) -> list[Detail]:
        """Every step in a few words, for a machine that draws the tree."""
        found: list[Detail] = []
        for index in self.steps:
            outcome, proposed = self.outcome(index).outcome, self._proposed.get(index)
            found.append(
                {
                    "step": index,
                    "request": proposed.request.kind if proposed else None,
                    "parents": list(proposed.request.parents) if proposed else [],
                    "outcome": outcome.kind,
                    "value": outcome.value,
                    "description": self.description(index),
                }
            )
        return found

    def _text(self, digest: str) -> str:
        """Raises AssayError if the text is lost. A journal from elsewhere may name anything; only a digest is read."""
        if not DIGEST.fullmatch(digest):
            raise AssayError(f"run '{self._run.run_id}' names a text by what is no digest", "its journal was changed")
        return self._blobs.get(digest)

    def _words(self, digest: str) -> str:
        """A text without which the step is still worth opening."""
        try:
            return self._text(digest)
        except AssayError as error:
            return f"({error.message})"

    def _request(self, proposed: Proposed) -> Detail:
        memory = proposed.request.memory
        return {**proposed.request.model_dump(), "memory": self._words(memory) if memory else ""}

    def _turn(self, turn: Acted) -> Detail:
        return {
            "turn": turn.turn,
            "said": self._words(turn.said) if turn.said else "",
            "action": turn.action,
            "arguments": self._words(turn.arguments),
            "kind": turn.kind,
            "observation": self._words(turn.observation),
            "exit_code": turn.exit_code,
            "ran": turn.ran,
            "changed": sorted(turn.changes),
            "ends": turn.ends,
            "seconds": turn.clock.seconds,
        }

    def _call(self, call: Called) -> Detail:
        calls = self._words(call.calls) if call.calls else ""
        return {
            "prompt": self._words(call.prompt),
            "answer": "\n".join(filter(None, [self._words(call.answer), calls])),
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


def _led_to(events: Iterable[Event], kind: type[E]) -> dict[int, list[E]]:
    """What stands before a step's `proposed`. What comes after the last step's is shown with that step."""
    found: dict[int, list[E]] = {0: []}
    waiting: list[E] = []
    last = 0
    for event in events:
        if isinstance(event, kind):
            waiting.append(event)
        elif isinstance(event, Proposed):
            last, found[event.step], waiting = event.step, waiting, []
    found[last] += waiting
    return found
