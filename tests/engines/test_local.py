"""The local engine: a sweep survives the death of its workers and of itself, and stops when it is told."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from assay.engines.base import RunState, Sweep
from assay.engines.local import LocalEngine
from assay.runs.record import read_run
from assay.runs.spec import Caps, RunSpec
from assay.tasks.load import Task

STEPS = 12


def specs_for(task: Task) -> tuple[RunSpec, ...]:
    common = {"task": task.name, "caps": Caps(steps=STEPS)}
    return tuple(RunSpec(agent="autoresearch", params={}, seed=seed, **common) for seed in (0, 1))


def command(task: Task, out: Path, *more: str) -> list[str]:
    words = ["run", "--agent", "autoresearch", "--task", task.name, "--steps", str(STEPS), "--seeds", "2"]
    return [sys.executable, "-m", "assay", *words, "--jobs", "2", "--out", str(out), *more]


def scores(results: Path) -> dict[str, Any]:
    found = {}
    for folder in sorted((results / "runs").iterdir()):
        record = read_run(folder)
        best, baseline = record.tested("best"), record.tested("baseline")
        assert record.finished and best and baseline
        found[folder.name] = (best.step, best.outcome, baseline.outcome)
    return found


@pytest.fixture(scope="module")
def undisturbed(tiny_task: Task, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    out = tmp_path_factory.mktemp("undisturbed")
    subprocess.run(command(tiny_task, out), check=True, capture_output=True, timeout=120)
    return scores(out)


def test_sigkill_at_random_moments_changes_no_score(
    undisturbed: dict[str, Any], tiny_task: Task, tmp_path: Path
) -> None:
    """A handful here; `python -m benchmarks kills` does fifty."""
    rng = random.Random(7)
    for _ in range(6):
        engine = subprocess.Popen(command(tiny_task, tmp_path), stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            engine.wait(timeout=rng.uniform(0.3, 3.0))
        except subprocess.TimeoutExpired:
            family = psutil.Process(engine.pid).children(recursive=True)
            engine.kill()
            engine.wait()
            _, alive = psutil.wait_procs(family, timeout=20)
            assert not alive, f"outlived the engine: {alive}"
    subprocess.run(command(tiny_task, tmp_path), check=True, capture_output=True, timeout=120)
    assert scores(tmp_path) == undisturbed


def test_a_killed_worker_is_replaced_and_its_run_continued(
    undisturbed: dict[str, Any], tiny_task: Task, tmp_path: Path
) -> None:
    killed = []

    def kill_first_worker(state: RunState) -> None:
        if state.step == 3 and not killed:
            worker = next(p for p in psutil.Process().children() if "assay.engines.worker" in p.cmdline())
            worker.kill()
            killed.append(worker.pid)

    sweep = Sweep(specs=specs_for(tiny_task), results=tmp_path)
    states = LocalEngine(jobs=1).carry_out(sweep, kill_first_worker)
    assert killed and [state.status for state in states] == ["finished", "finished"]
    assert scores(tmp_path) == undisturbed


def test_ctrl_c_stops_cleanly_and_the_same_command_continues(
    undisturbed: dict[str, Any], tiny_task: Task, tmp_path: Path
) -> None:
    engine = subprocess.Popen(command(tiny_task, tmp_path), stderr=subprocess.PIPE, text=True)
    events = [tmp_path / "runs" / run_id / "events.jsonl" for run_id in undisturbed]
    deadline = time.monotonic() + 60
    while not all(file.exists() and file.stat().st_size for file in events):
        assert time.monotonic() < deadline and engine.poll() is None
        time.sleep(0.01)
    engine.send_signal(signal.SIGINT)
    _, errors = engine.communicate(timeout=60)
    assert "Traceback" not in errors
    if engine.returncode == 130:  # a very fast machine may have finished before it heard
        assert "the same command continues them" in errors
    again = subprocess.run(command(tiny_task, tmp_path), capture_output=True, timeout=120)
    assert again.returncode == 0
    assert scores(tmp_path) == undisturbed


def test_a_second_run_of_the_same_command_does_nothing(tiny_task: Task, tmp_path: Path) -> None:
    subprocess.run(command(tiny_task, tmp_path), check=True, capture_output=True, timeout=120)
    before = {p: p.read_bytes() for p in tmp_path.rglob("events.jsonl")}
    again = subprocess.run(command(tiny_task, tmp_path, "--json"), check=True, capture_output=True, timeout=120)
    assert all(state["resumed"] for state in json.loads(again.stdout))
    assert {p: p.read_bytes() for p in tmp_path.rglob("events.jsonl")} == before


def test_changed_arguments_are_refused_and_nothing_is_touched(tiny_task: Task, tmp_path: Path) -> None:
    subprocess.run(command(tiny_task, tmp_path), check=True, capture_output=True, timeout=120)
    before = {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()}
    changed = subprocess.run(command(tiny_task, tmp_path, "--steps", "99"), capture_output=True, text=True, timeout=60)
    assert changed.returncode == 2
    assert f"caps.steps: was {STEPS}, is now 99" in changed.stderr
    assert {p: p.read_bytes() for p in tmp_path.rglob("*") if p.is_file()} == before


def test_a_cap_of_the_sweep_ends_every_run_with_its_test(tiny_task: Task, tmp_path: Path) -> None:
    sweep = Sweep(specs=specs_for(tiny_task), results=tmp_path, caps=Caps(steps=4))
    states = LocalEngine(jobs=1).carry_out(sweep, lambda state: None)
    assert [state.reason for state in states] == ["sweep-steps", "sweep-steps"]
    assert states[0].step < STEPS and states[1].step == 0
    assert set(scores(tmp_path)) == {spec.run_id for spec in sweep.specs}


def test_the_environment_of_a_worker_pins_threads_to_one(tiny_task: Task, tmp_path: Path) -> None:
    seen: list[str] = []

    def look(state: RunState) -> None:
        for process in psutil.Process().children():
            if "assay.engines.worker" in process.cmdline():
                seen.append(process.environ()["OMP_NUM_THREADS"])

    LocalEngine(jobs=1).carry_out(Sweep(specs=specs_for(tiny_task)[:1], results=tmp_path), look)
    assert seen and set(seen) == {"1"}
    assert os.environ.get("OMP_NUM_THREADS") in (None, "1")
