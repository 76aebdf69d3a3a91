"""Every call of a model, stage by stage, on disk before its answer is used."""

import os
import time
from collections import defaultdict, deque
from collections.abc import Iterator
from pathlib import Path

from pydantic import Field

from assay.base import Frozen
from assay.errors import AssayError
from assay.files import drop_cut_line
from assay.models.base import Completion, Prompt, ToolCall
from assay.models.usage import Usage
from assay.research.stages import Stage
from assay.runs.spec import Caps


class Call(Frozen):
    """One line of `calls.ndjson`."""

    stage: Stage
    model: str
    key: str
    """Digest of everything that decides the answer."""
    prompt: str
    answer: str
    calls: tuple[ToolCall, ...] = Field((), exclude_if=lambda calls: not calls)
    state: str = Field("", exclude_if=lambda state: not state)
    stop: str
    usage: Usage
    at: float
    seconds: float

    @property
    def completion(self) -> Completion:
        return Completion(text=self.answer, stop=self.stop, usage=self.usage, calls=self.calls, state=self.state)


class BudgetSpent(AssayError):
    """A cap is reached: nothing more is asked. What was done stays done."""


class StageCalls:
    """The call log of one stage. What a stage asked before a crash is answered from the file and not paid for again."""

    def __init__(self, file: Path, stage: Stage, model: str, caps: Caps) -> None:
        self._file = file
        self._stage: Stage = stage
        self._model = model
        self._caps = caps
        drop_cut_line(file)
        self._spent = Usage()
        self._waiting: defaultdict[str, deque[Call]] = defaultdict(deque)
        for call in read_calls(file):
            self._spent += call.usage
            # an answer that could not be used is asked for anew: a refusal need not be for ever
            if call.stage == stage and call.completion.usable:
                self._waiting[call.key].append(call)

    def before_call(self) -> None:
        """Raises BudgetSpent if what all stages spent so far reaches a cap."""
        tokens, usd = self._caps.tokens, self._caps.usd
        if tokens is not None and self._spent.tokens >= tokens:
            raise BudgetSpent(f"{self._spent.tokens} tokens are spent of {tokens}", "raise --max-tokens to go on")
        if usd is None:
            return
        if self._spent.usd is None:
            raise BudgetSpent(
                f"{self._model} has no known price, so --max-usd cannot be kept", "use --max-tokens instead"
            )
        if self._spent.usd >= usd:
            raise BudgetSpent(f"{self._spent.usd:.4f} dollars are spent of {usd:g}", "raise --max-usd to go on")

    def find(self, key: str) -> Completion | None:
        waiting = self._waiting[key]
        if not waiting:
            return None
        return waiting.popleft().completion

    def save(self, key: str, prompt: Prompt, completion: Completion, seconds: float) -> None:
        call = Call(
            stage=self._stage,
            model=self._model,
            key=key,
            prompt=prompt.text,
            answer=completion.text,
            calls=completion.calls,
            state=completion.state,
            stop=completion.stop,
            usage=completion.usage,
            at=round(time.time(), 3),
            seconds=round(seconds, 3),
        )
        with self._file.open("ab") as file:
            file.write(call.model_dump_json().encode("utf-8", "surrogatepass") + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._spent += completion.usage


def read_calls(file: Path) -> Iterator[Call]:
    """All whole lines, in order; none if there is no file."""
    if file.is_file():
        for line in file.read_bytes().split(b"\n")[:-1]:
            yield Call.model_validate_json(line)


def spent_by_stage(file: Path) -> dict[Stage, Usage]:
    """What each stage asked for and what that cost, answers that were used twice counted once."""
    spent: defaultdict[Stage, Usage] = defaultdict(Usage)
    for call in read_calls(file):
        spent[call.stage] += call.usage
    return dict(spent)
