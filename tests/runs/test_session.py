"""What a run promises: an honest baseline, duplicates that cost nothing, caps that end it cleanly, one test."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assay.runs import events
from assay.runs.events import Finished, Proposed, Stepped
from assay.runs.record import RunRecord, read_run
from assay.runs.run import Sandboxes, carry_out
from assay.runs.session import Control
from assay.runs.spec import Caps, RunSpec
from assay.strategies.base import Search, Strategy
from assay.strategies.request import Request, Step
from assay.tasks.load import Task, load_task


@pytest.fixture(scope="module")
def sandboxes() -> Iterator[Sandboxes]:
    with Sandboxes() as opened:
        yield opened


class PlaysTwice(Strategy):
    """Plays the one known-good solution twice, and then asks for nothing new."""

    name = "plays_twice"
    summary = "for tests"
    proposer = "solutions"

    def search(self, start: Step) -> Search:
        yield [Request(kind="solution", idea="0"), Request(kind="solution", idea="0")]
        yield Request(kind="repeat")


def run(agent: str, task: Task, sandboxes: Sandboxes, out: Path, **caps: Any) -> RunRecord:
    spec = RunSpec(agent=agent, task=task.name, caps=Caps(**caps))
    carry_out(spec, out, sandboxes, Control())
    return read_run(out / "runs" / spec.run_id)


def test_nop_improves_nothing_and_is_tested_with_the_baseline(
    tiny_task: Task, sandboxes: Sandboxes, tmp_path: Path
) -> None:
    record = run("nop", tiny_task, sandboxes, tmp_path, steps=3)
    steps = [e for e in record.events if isinstance(e, Stepped)]
    assert [e.outcome.kind for e in steps] == ["ok", "no_change", "no_change", "no_change"]
    best, baseline = record.tested("best"), record.tested("baseline")
    assert best and baseline and best.step == 0
    assert best.outcome == baseline.outcome


def test_oracle_plays_the_known_good_solutions(tiny_task: Task, sandboxes: Sandboxes, tmp_path: Path) -> None:
    record = run("oracle", tiny_task, sandboxes, tmp_path, steps=5)
    best = record.tested("best")
    assert best and best.step == 1 and best.outcome.value == 0.25
    assert record.finished and record.finished.reason == "strategy"


def test_an_equal_candidate_costs_no_evaluation(tiny_task: Task, sandboxes: Sandboxes, tmp_path: Path) -> None:
    record = run(f"{__name__}:PlaysTwice", tiny_task, sandboxes, tmp_path, steps=5)
    first, second, third = [e for e in record.events if isinstance(e, Stepped)][1:]
    assert second.repeats == 1 and second.outcome == first.outcome
    assert second.clock.evaluation is None and first.clock.evaluation is not None
    assert third.outcome.kind == "no_change"


def test_a_batch_is_proposed_whole_and_cut_at_the_budget(tiny_task: Task, sandboxes: Sandboxes, tmp_path: Path) -> None:
    record = run(f"{__name__}:PlaysTwice", tiny_task, sandboxes, tmp_path, steps=1)
    assert sum(isinstance(e, Proposed) for e in record.events) == 1
    assert record.finished and record.finished.reason == "steps"


@pytest.mark.parametrize(
    ("caps", "reason"), [({"steps": 0}, "steps"), ({"hours": 0.0}, "hours"), ({"usd": 0.0}, "usd")]
)
def test_a_cap_ends_a_run_cleanly_with_its_test(
    caps: dict[str, float], reason: str, tiny_task: Task, sandboxes: Sandboxes, tmp_path: Path
) -> None:
    record = run("autoresearch", tiny_task, sandboxes, tmp_path, **caps)
    assert record.finished and record.finished.reason == reason
    assert [e.who for e in record.events if isinstance(e, events.Tested)] == ["baseline", "best"]


def test_a_sweep_cap_ends_a_run_cleanly(tiny_task: Task, sandboxes: Sandboxes, tmp_path: Path) -> None:
    spec = RunSpec(agent="autoresearch", task=tiny_task.name, caps=Caps(steps=9))
    finished = carry_out(spec, tmp_path, sandboxes, Control(sweep_reached=lambda: "sweep-usd"))
    assert finished.reason == "sweep-usd"


def test_a_failing_candidate_is_a_step_and_never_the_best(
    sandboxes: Sandboxes, tiny_task: Task, tmp_path: Path
) -> None:
    import shutil

    root = tmp_path / "task"
    shutil.copytree(tiny_task.paths.root, root)
    (root / "solutions" / "bottom" / "algorithm.py").write_text("def answer():\n    return float('nan')\n")
    (root / "solutions" / "crash").mkdir()
    (root / "solutions" / "crash" / "algorithm.py").write_text("def answer():\n    raise ValueError('no')\n")
    record = run("oracle", load_task(root), sandboxes, tmp_path / "out", steps=5)
    nan, crash = [e for e in record.events if isinstance(e, Stepped)][1:]
    assert (nan.outcome.kind, nan.outcome.blame) == ("invalid_output", "agent")
    assert (crash.outcome.kind, crash.outcome.blame) == ("crashed", "agent")
    assert "ValueError: no" in crash.outcome.message
    assert isinstance(record.events[-1], Finished) and record.events[-1].best == 0
