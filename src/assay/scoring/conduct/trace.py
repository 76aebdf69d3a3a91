"""The turns of an interactive run, put in order: what was executed, what was validated, and how it ended."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from assay.runs.blobs import Blobs
from assay.runs.events import Acted, Called, Finished, Recorded, Stepped, Tested
from assay.runs.record import RunRecord
from assay.scoring.conduct.conduct import OWN_ENDS
from assay.tasks.facts import TaskFacts

_ERROR = re.compile(r"^[ \t]*(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Exit|Interrupt)\b.*$", re.M)
_CHANGING = re.compile(r"0x[0-9a-fA-F]+|\d+\.\d+")


@dataclass(frozen=True)
class Execution:
    """One script that an agent ran."""

    place: int
    """Of its turn among all turns."""
    script: str
    ok: bool
    error: str
    """The last line of what went wrong, without what differs from one time to the next; empty if nothing did."""


@dataclass(frozen=True)
class Trace:
    """An interactive run in the order in which it happened. Texts are read from the blobs when they are asked for."""

    turns: tuple[Acted, ...]
    """The agent's memory work included, whose turns count for no budget."""
    validated: Mapping[int, Recorded]
    """The outcome that followed a turn, by the turn's place."""
    baseline: Recorded | None
    prompt: str
    """Digest of the first prompt of a model; empty if none was asked."""
    reason: str
    """What ended the search; empty as long as it goes on."""
    test: Recorded | None
    """What was submitted, on test."""
    facts: TaskFacts
    blobs: Blobs

    @property
    def own_end(self) -> bool:
        return self.reason in OWN_ENDS

    @cached_property
    def counted(self) -> tuple[Acted, ...]:
        """Turns of the agent's budget: neither memory work nor the end that the harness sets where a cap is reached."""
        return tuple(turn for turn in self.turns if not turn.bookkeeping and turn.kind != "closed")

    @cached_property
    def executions(self) -> tuple[Execution, ...]:
        """Raises AssayError if a text is missing or damaged, as everything here does that reads one."""
        return tuple(self._executions())

    def _executions(self) -> Iterator[Execution]:
        for place, turn in enumerate(self.turns):
            if turn.ran:
                ok = turn.exit_code == 0
                yield Execution(place, turn.ran, ok, "" if ok else last_error(self.blobs.get(turn.observation)))

    def arguments(self, digest: str) -> Any:
        """The arguments of an action: a mapping, or a text where they could not be read."""
        text = self.blobs.get(digest)
        try:
            return json.loads(text)
        except ValueError:
            return text


def ran_code(turn: Acted) -> bool:
    """Whether the turn executed something: what it changed is then the code's doing."""
    return bool(turn.ran) or turn.action == "Python REPL"


def read_trace(record: RunRecord, facts: TaskFacts, blobs: Blobs) -> Trace | None:
    """None for a run without turns: of a search agent, or of a program that acts by itself."""
    turns: list[Acted] = []
    validated: dict[int, Recorded] = {}
    baseline = test = None
    prompt = reason = ""
    for event in record.events:
        if isinstance(event, Acted):
            turns.append(event)
        elif isinstance(event, Stepped):
            if event.step == 0:
                baseline = event.outcome
            elif turns:
                validated[len(turns) - 1] = event.outcome
        elif isinstance(event, Called):
            prompt = prompt or event.prompt
        elif isinstance(event, Tested) and event.who == "best":
            test = event.outcome
        elif isinstance(event, Finished):
            reason = event.reason
    if not turns:
        return None
    return Trace(tuple(turns), validated, baseline, prompt, reason, test, facts, blobs)


def last_error(output: str) -> str:
    """The last line that names an error, else the last that says anything; addresses and decimals blotted out."""
    named = _ERROR.findall(output)
    lines = named or [line for line in output.splitlines() if line.strip()] or [""]
    return _CHANGING.sub("…", lines[-1].strip())
