"""Journals made to order, for benchmarks and tests of whatever reads results.

Everything is written through the run's own models, so a change of the journal's schema breaks this file first.
"""

import ast
import json
import math
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from keyword import iskeyword
from pathlib import Path
from typing import Any

from assay.runs.events import (
    Acted,
    ActKind,
    Called,
    Clock,
    Event,
    Finished,
    Primitive,
    Proposed,
    Reason,
    Recorded,
    Stepped,
    Tested,
)
from assay.runs.paths import ResultPaths
from assay.runs.record import Header
from assay.runs.spec import Caps, RunSpec
from assay.sandbox.job import Isolation
from assay.strategies.request import Request, RequestKind, Usage
from assay.tasks.candidate import Candidate, text_digest
from assay.tasks.facts import TaskFacts
from assay.tasks.outcome import Blame, Kind
from assay.tasks.spec import FmlBench, Metric, Noise

START = 1_750_000_000.0
"""When every made-up run began: a moment like any other, in seconds since the epoch."""
ACCURACY = Metric(name="acc", direction="max", best=1.0, worst=0.0)
TEN_STEPS = Caps(steps=10)
NOTHING_SPENT = Usage()
BASELINE = {"algorithm.py": "def fit(x, y):\n    return 0.0\n"}


NAME = re.compile(r"[^\W\d]\w{2,}")
"""Of three letters at least: shorter words may be the prefix of a string."""


@dataclass(frozen=True)
class Step:
    """One step to be written. `value` None goes with a `kind` of failure."""

    value: float | None
    kind: Kind = "ok"
    files: dict[str, str] | None = None
    """None: the baseline's files."""
    usage: Usage = NOTHING_SPENT
    seconds: float = 1.0
    parent: int = 0


@dataclass(frozen=True)
class Turn:
    """One turn of an interactive agent to be written, with texts in place of their digests."""

    action: str = "List Files"
    arguments: Any = field(default_factory=dict)
    observation: str = ""
    kind: ActKind = "ok"
    said: str = ""
    primitives: Sequence[tuple[str, Any, str]] = ()
    """Name, arguments and observation."""
    changes: dict[str, str | None] = field(default_factory=dict)
    """Path → text; None for a file that is gone."""
    ran: str = ""
    exit_code: int | None = None
    bookkeeping: bool = False
    retries: int = 0
    ends: Reason | None = None
    step: Step | None = None
    """The validation that follows."""
    seconds: float = 1.0


@dataclass(frozen=True)
class Run:
    """One run to be written."""

    agent: str = "autoresearch"
    task: str = "made-up/easy"
    model: str = "offline"
    seed: int = 0
    metric: Metric = ACCURACY
    noise: Noise | None = None
    fmlbench: FmlBench | None = None
    caps: Caps = TEN_STEPS
    baseline_val: float = 0.5
    baseline_test: float = 0.5
    baseline_files: dict[str, str] = field(default_factory=lambda: dict(BASELINE))
    steps: Sequence[Step] = ()
    turns: Sequence[Turn] = ()
    """Of an interactive agent, whose steps follow on turns."""
    prompt: str = ""
    """What its model is first asked; none is asked if it is empty."""
    reason: Reason = "steps"
    submitted: int | None = None
    """The step that an interactive agent handed in."""
    test: float | None = None
    """The best candidate's value on test."""
    test_kind: Kind = "ok"
    test_message: str = ""
    test_blame: Blame = "agent"
    finished: bool = True

    @property
    def spec(self) -> RunSpec:
        return RunSpec(agent=self.agent, task=self.task, model=self.model, seed=self.seed, caps=self.caps)

    @property
    def best(self) -> int:
        """What was submitted, else the best by validation, the earliest of equals; 0 if none beats the baseline."""
        if self.submitted is not None:
            return self.submitted
        best, found = self.baseline_val, 0
        for index, step in enumerate(self.steps, start=1):
            if step.value is not None and self.metric.better(step.value, best):
                best, found = step.value, index
        return found


def write_run(results: Path, run: Run) -> Path:
    """Write one run with its blobs and return its folder."""
    paths = ResultPaths(results)
    folder = paths.run(run.spec.run_id)
    folder.root.mkdir(parents=True, exist_ok=True)
    facts = TaskFacts(
        title=run.task,
        area="made up",
        metric=run.metric,
        noise=run.noise,
        fmlbench=run.fmlbench,
        files=_store(paths, run.baseline_files),
    )
    header = Header(
        spec=run.spec,
        task_digest=text_digest(run.task),
        task=facts,
        isolation=Isolation(level="full"),
        versions={"assay": "0"},
        machine={},
    )
    folder.header.write_text(header.model_dump_json())
    lines = (event.model_dump_json() + "\n" for event in _events(paths, run))
    folder.events.write_text("".join(lines))
    return folder.root


def _events(paths: ResultPaths, run: Run) -> Iterator[Event]:
    now = START
    yield Stepped(
        clock=Clock(at=now),
        step=0,
        candidate=Candidate(files=run.baseline_files).digest,
        outcome=_outcome(run, run.baseline_val, "ok"),
    )
    for index, step in enumerate(run.steps, start=1):
        now += step.seconds
        yield from _step(paths, run, index, step, now, "improve")
    if run.prompt:
        prompt = _store_text(paths, run.prompt)
        yield Called(clock=Clock(at=now), key=prompt, prompt=prompt, answer=prompt, usage=Usage(calls=1))
    index = 0
    for number, turn in enumerate(run.turns):
        now += turn.seconds
        yield _acted(paths, number, turn, now)
        if turn.step:
            index, now = index + 1, now + turn.step.seconds
            yield from _step(paths, run, index, turn.step, now, "act")
    if not run.finished:
        return
    yield Tested(clock=Clock(at=now), who="baseline", step=0, outcome=_outcome(run, run.baseline_test, "ok"))
    best = run.best
    tested = _outcome(run, run.baseline_test if best == 0 else run.test, "ok" if best == 0 else run.test_kind)
    if tested.kind != "ok":
        said = {"blame": run.test_blame, "message": run.test_message or tested.message}
        tested = tested.model_copy(update=said)
    yield Tested(clock=Clock(at=now), who="best", step=best, outcome=tested)
    yield Finished(clock=Clock(at=now), reason=run.reason, best=best)


def _step(paths: ResultPaths, run: Run, index: int, step: Step, now: float, kind: RequestKind) -> Iterator[Event]:
    files = {**run.baseline_files, **(step.files or {})}
    if step.usage.calls:
        digest = text_digest(f"{run.spec.run_id}/{index}")
        yield Called(clock=Clock(at=now), key=digest, prompt=digest, answer=digest, usage=step.usage)
    candidate = Candidate(files=files).digest
    yield Proposed(
        clock=Clock(at=now),
        step=index,
        request=Request(kind=kind, parents=(step.parent,), idea="something better"),
        files=_store(paths, files),
        candidate=candidate,
        description=f"change number {index}",
        usage=step.usage,
    )
    outcome = _outcome(run, step.value, step.kind)
    yield Stepped(clock=Clock(at=now, seconds=step.seconds), step=index, candidate=candidate, outcome=outcome)


def _acted(paths: ResultPaths, number: int, turn: Turn, now: float) -> Acted:
    def stored(arguments: Any) -> str:
        return _store_text(paths, json.dumps(arguments))

    return Acted(
        clock=Clock(at=now, seconds=turn.seconds),
        turn=number,
        said=_store_text(paths, turn.said) if turn.said else "",
        action=turn.action,
        arguments=stored(turn.arguments),
        kind=turn.kind,
        observation=_store_text(paths, turn.observation),
        primitives=tuple(
            Primitive(action=name, arguments=stored(given), observation=_store_text(paths, seen))
            for name, given, seen in turn.primitives
        ),
        changes={path: "" if text is None else _store_text(paths, text) for path, text in turn.changes.items()},
        exit_code=turn.exit_code,
        ran=turn.ran,
        bookkeeping=turn.bookkeeping,
        retries=turn.retries,
        validates=turn.step is not None,
        ends=turn.ends,
    )


def _outcome(run: Run, value: float | None, kind: Kind) -> Recorded:
    if kind != "ok":
        return Recorded(kind=kind, blame="agent", message=f"it {kind}")
    assert value is not None
    return Recorded(kind="ok", value=value, metrics={run.metric.name: value})


def _store(paths: ResultPaths, files: dict[str, str]) -> dict[str, str]:
    return {path: _store_text(paths, text) for path, text in files.items()}


def _store_text(paths: ResultPaths, text: str) -> str:
    """A blob as `runs.blobs` lays it out, but not synced to disk: nothing here must survive a power cut."""
    digest = text_digest(text)
    blob = paths.blobs / digest[:2] / digest[2:]
    if not blob.exists():
        blob.parent.mkdir(parents=True, exist_ok=True)
        blob.write_bytes(text.encode("utf-8", "surrogatepass"))
    return digest


def write_sweep(
    results: Path, agents: int, tasks: int, seeds: int, steps: int, code_lines: int = 0, sources: Sequence[str] = ()
) -> int:
    """A grid of made-up runs with realistic scatter; returns how many.

    `code_lines` gives every step its own made-up code, `sources` an edit of one of these texts, each task its own.
    """
    count = 0
    for agent in range(agents):
        for task in range(tasks):
            for seed in range(seeds):
                rng = random.Random(f"{agent}/{task}/{seed}")
                codes = _edited_code(rng, sources[task % len(sources)]) if sources else _made_up_code(rng, code_lines)
                write_run(results, _random_run(rng, agent, task, seed, steps, codes))
                count += 1
    return count


def _random_run(rng: random.Random, agent: int, task: int, seed: int, steps: int, codes: Iterator[str]) -> Run:
    baseline = 0.3 + 0.02 * task
    skill = 0.02 + 0.004 * agent
    best, made = baseline, []
    for _ in range(steps):
        code = next(codes)
        files = {"algorithm.py": code} if code else None
        usage = Usage(calls=1, input_tokens=rng.randrange(2000, 9000), output_tokens=rng.randrange(200, 2000), usd=0.01)
        seconds = rng.uniform(5, 50)
        if rng.random() < 0.2:
            made.append(Step(None, "crashed", files, usage, seconds))
            continue
        value = min(0.99, best + rng.gauss(-0.01, skill))
        best = max(best, value)
        made.append(Step(value, "ok", files, usage, seconds, parent=len(made) and rng.randrange(len(made))))
    return Run(
        agent=f"agent-{agent}",
        task=f"made-up/task-{task:02d}",
        model="made-up:model",
        seed=seed,
        caps=Caps(steps=steps),
        baseline_val=baseline,
        baseline_test=baseline + 0.01,
        steps=made,
        test=min(0.99, best + rng.gauss(0, 0.01)),
        noise=Noise(seeds=20, val_sd=0.01, test_sd=0.01),
    )


def _made_up_code(rng: random.Random, lines: int) -> Iterator[str]:
    """One version after another, each with a new line; nothing but empty texts for no lines."""
    code = []
    for number in range(math.ceil(lines / 20)):
        code += [f"def part_{number}(x):", *(_line(rng) for _ in range(19))]
    inner = [number for number, line in enumerate(code) if line.startswith(" ")]
    while True:
        if inner:
            code[rng.choice(inner)] = _line(rng)
        yield "\n".join(code)


def _line(rng: random.Random) -> str:
    return f"    x = {rng.choice(['min', 'max', 'abs', 'pow'])}(x * {rng.randrange(10_000)}, {rng.random():.6f})"


def _edited_code(rng: random.Random, source: str) -> Iterator[str]:
    """One version after another. In each a few statements have moved to where others of the same indentation stood, and
    have a name in them that was not there before."""
    code = source.split("\n")
    places = [numbers for numbers in _simple_statements(source).values() for _ in numbers]
    while True:
        for _ in range(rng.randint(1, 6)):
            same = rng.choice(places)
            line = code[rng.choice(same)]
            ends = [name.end() for name in NAME.finditer(line) if not iskeyword(name.group())]
            end = rng.choice(ends) if ends else len(line)
            code[rng.choice(same)] = f"{line[:end]}{rng.randrange(100) if ends else ''}{line[end:]}"
        yield "\n".join(code)


@cache
def _simple_statements(source: str) -> dict[int, list[int]]:
    """The lines that hold one whole statement which holds no other, by their indentation."""
    found: dict[int, list[int]] = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and not hasattr(node, "body") and node.lineno == node.end_lineno:
            found.setdefault(node.col_offset, []).append(node.lineno - 1)
    return found
