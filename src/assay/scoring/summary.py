"""One run, reduced to what tables, statistics and reports need."""

import os
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from assay.runs.events import Called, Finished, Proposed, Stepped, Tested
from assay.runs.record import DamagedJournal, RunRecord
from assay.scoring import process
from assay.scoring.conduct.conduct import Conduct
from assay.scoring.exploration import Exploration
from assay.strategies.request import RequestKind
from assay.tasks.facts import TaskFacts
from assay.tasks.outcome import Kind

KINDS: tuple[Kind, ...] = get_args(Kind)
REQUESTS: tuple[RequestKind, ...] = get_args(RequestKind)
NOISE_SIGMAS = 2.0
"""An improvement below this many standard deviations of the baseline over seeds is marked as noise."""


@dataclass(frozen=True)
class Steps:
    """The steps of a run by column, in order; the baseline is not among them. NaN where a step failed."""

    kind: NDArray[np.uint8]
    """Index into KINDS."""
    request: NDArray[np.uint8]
    """Index into REQUESTS."""
    parent: NDArray[np.int32]
    """The step whose code was edited; 0 is the baseline."""
    value: NDArray[np.float64]
    improvement: NDArray[np.float64]
    """Normalised gain over the validation baseline; negative where worse."""
    tokens: NDArray[np.int64]
    """Spent from the run's start to the end of the step, like the next two."""
    usd: NDArray[np.float64]
    """NaN from the first call without a known price on."""
    hours: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.kind)

    @cached_property
    def endings(self) -> list[int]:
        """How many steps ended so, by the index into KINDS."""
        counted: list[int] = np.bincount(self.kind, minlength=len(KINDS)).tolist()
        return counted

    @cached_property
    def curve(self) -> NDArray[np.float64]:
        """Best normalised improvement so far after each step, never below 0."""
        return process.best_so_far(self.improvement)


@dataclass(frozen=True, eq=False)
class RunSummary:
    """What one journal says. Improvements are normalised and unclamped; None where nothing was measured."""

    run_id: str
    agent: str
    model: str
    task: str
    seed: int
    params: dict[str, Any]
    budget: int | None
    """The cap on steps, if there was one."""
    facts: TaskFacts
    isolation: str
    finished: bool
    """False while it runs, or where it was interrupted: such a run has no test result yet and enters no average."""
    cut: bool
    """The journal ends in the middle of a line: it is being written, or its writer was killed."""
    reason: str
    """What ended the search; empty for an unfinished run."""
    baseline_val: float | None
    baseline_test: float | None
    best_step: int
    """0 is the baseline."""
    best_val: float | None
    test_value: float | None
    """The best candidate's metric on test; None if it has none, and `test_kind` says why."""
    test_kind: str
    """`ok`, a kind of failure, or `missing`."""
    calls: int
    tokens: int
    usd: float | None
    """None if a call had no known price."""
    hours: float
    steps: Steps
    explorations: dict[str, Exploration] = field(default_factory=dict)
    """By the identity of the embedder, and that with `+mean` for the variant that is free of file length."""
    conduct: Conduct | None = None
    """Of an interactive agent's turns; None where there are none."""

    @property
    def improvement_val(self) -> float:
        """The best on validation; 0 if nothing beat the baseline."""
        return float(self.steps.curve[-1]) if len(self.steps) else 0.0

    @cached_property
    def improvement_test(self) -> float | None:
        """What the best candidate gained on test, negative if it lost there. None for an unfinished run.

        Missing, crashed and constraint violated count as no gain: 0.
        """
        if not self.finished:
            return None
        if self.test_value is None or self.baseline_test is None:
            return 0.0
        return self.facts.metric.improvement(self.test_value, self.baseline_test)

    @cached_property
    def score(self) -> float | None:
        """The published normalised improvement: on test, and at least 0."""
        gain = self.improvement_test
        return None if gain is None else max(gain, 0.0)

    @cached_property
    def relative_improvement(self) -> float | None:
        """MLAgentBench's improvement of a valid final result: a share of the baseline. None if there is none."""
        if self.test_value is None or self.baseline_test is None:
            return None
        return process.relative_improvement(self.test_value, self.baseline_test, self.facts.metric)

    @cached_property
    def first_success(self) -> int | None:
        """The first step, from 1, that is 10 % better than the baseline on validation; None if none is."""
        if self.baseline_val is None:
            return None
        return process.first_success(self.steps.value, self.baseline_val, self.facts.metric)

    @property
    def note(self) -> str:
        """`ok`, or why the score is what it is."""
        if not self.finished:
            return "unfinished"
        if self.baseline_test is None:
            return "no baseline on test"
        if self.test_kind == "missing":
            return "no final test → baseline"
        if self.test_kind != "ok":
            return f"{self.test_kind} → baseline"
        if self.best_step == 0:
            return "starter submitted" if self.conduct else "no step beat the baseline"
        return "ok"

    @cached_property
    def sigmas(self) -> float | None:
        """The test gain in standard deviations of the baseline over seeds; at least 0. None if those are not known."""
        if self.facts.noise is None or self.score is None:
            return None
        if self.score == 0 or self.test_value is None or self.baseline_test is None:
            return 0.0
        scale = self.facts.metric.scale
        gain = abs(scale(self.test_value) - scale(self.baseline_test))
        return gain / self.facts.noise.test_sd if self.facts.noise.test_sd else np.inf

    @property
    def within_noise(self) -> bool | None:
        """Whether the test gain is lost in the baseline's own spread. None if that spread is not known."""
        return None if self.sigmas is None else self.sigmas < NOISE_SIGMAS

    @property
    def kinds(self) -> Counter[str]:
        """How the steps ended."""
        return Counter({kind: count for kind, count in zip(KINDS, self.steps.endings, strict=True) if count})


@dataclass
class _Reading:
    """What is gathered on the way through a journal."""

    requests: dict[int, Proposed] = field(default_factory=dict)
    stepped: list[Stepped] = field(default_factory=list)
    spent: list[tuple[int, float, float]] = field(default_factory=list)
    """Tokens, dollars and seconds at the end of each step, the baseline first."""
    tested: dict[str, Tested] = field(default_factory=dict)
    finished: Finished | None = None
    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    seconds: float = 0.0


def summarise(run: RunRecord, facts: TaskFacts) -> RunSummary:
    """Raises DamagedJournal if the journal cannot be read or its events cannot have happened in this order."""
    cut = _ends_cut(run.paths.events)
    reading = _read(run)
    if cut and reading.finished:
        raise _impossible(run, "something follows after its end")
    spec = run.header.spec
    baseline = reading.stepped[0].outcome.value if reading.stepped else None
    steps = _columns(reading, facts, baseline)
    base = reading.tested.get("baseline")
    best = reading.tested.get("best")
    index = reading.finished.best if reading.finished else _best(steps)
    if index > len(steps):
        raise _impossible(run, f"its best step {index} was never taken")
    value = baseline if index == 0 else float(steps.value[index - 1])
    if best is not None and best.step not in (0, index):
        raise _impossible(run, f"step {best.step} was tested, but step {index} is its best")
    return RunSummary(
        run_id=run.run_id,
        agent=spec.agent,
        model=spec.model,
        task=spec.task,
        seed=spec.seed,
        params=spec.params,
        budget=spec.caps.steps,
        facts=facts,
        isolation=run.header.isolation.level,
        finished=reading.finished is not None,
        cut=cut,
        reason=reading.finished.reason if reading.finished else "",
        baseline_val=baseline,
        baseline_test=base.outcome.value if base else None,
        best_step=index,
        best_val=value,
        test_value=best.outcome.value if best else None,
        test_kind=best.outcome.kind if best else "missing",
        calls=reading.calls,
        tokens=reading.tokens,
        usd=None if np.isnan(reading.usd) else reading.usd,
        hours=reading.seconds / 3600,
        steps=steps,
    )


def _ends_cut(events: Path) -> bool:
    if not events.exists() or not events.stat().st_size:
        return False
    with events.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) != b"\n"


def _read(run: RunRecord) -> _Reading:
    reading = _Reading()
    for event in run.events:
        if reading.finished is not None:
            raise _impossible(run, "something follows after its end")
        reading.seconds += event.clock.seconds
        if isinstance(event, Stepped):
            if event.step != len(reading.stepped):
                raise _impossible(
                    run, f"step {event.step} follows after {len(reading.stepped)} steps, baseline included"
                )
            reading.stepped.append(event)
            reading.spent.append((reading.tokens, reading.usd, reading.seconds))
        elif isinstance(event, Proposed):
            reading.requests[event.step] = event
        elif isinstance(event, Called):
            usage = event.usage
            reading.calls += usage.calls
            reading.tokens += usage.tokens
            reading.usd += np.nan if usage.usd is None else usage.usd
        elif isinstance(event, Tested):
            reading.tested[event.who] = event
        elif isinstance(event, Finished):
            reading.finished = event
    return reading


def _columns(reading: _Reading, facts: TaskFacts, baseline: float | None) -> Steps:
    stepped = reading.stepped[1:]
    values = [np.nan if e.outcome.value is None else e.outcome.value for e in stepped]
    gains = [np.nan if baseline is None else facts.metric.improvement(v, baseline) if v == v else v for v in values]
    proposed = [reading.requests.get(e.step) for e in stepped]
    spent = reading.spent[1:]
    return Steps(
        kind=np.array([KINDS.index(e.outcome.kind) for e in stepped], np.uint8),
        request=np.array([REQUESTS.index(p.request.kind) if p else 0 for p in proposed], np.uint8),
        parent=np.array([p.request.parents[0] if p and p.request.parents else 0 for p in proposed], np.int32),
        value=np.array(values, np.float64),
        improvement=np.array(gains, np.float64),
        tokens=np.array([s[0] for s in spent], np.int64),
        usd=np.array([s[1] for s in spent], np.float64),
        hours=np.array([s[2] for s in spent], np.float64) / 3600,
    )


def _best(steps: Steps) -> int:
    """The best step so far, the earliest of equals; 0 if none beat the baseline."""
    if not len(steps) or not steps.curve[-1] > 0:
        return 0
    return int(np.nanargmax(steps.improvement)) + 1


def _impossible(run: RunRecord, what: str) -> DamagedJournal:
    return DamagedJournal(
        f"{run.paths.events}: {what}", "the journal was changed by hand; move the run's folder away to run it again"
    )
