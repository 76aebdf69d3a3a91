"""Claims: a job in the sandbox is at least 10 times faster than the same work as `python evaluate.py` in a new
interpreter, on the smallest task; and what is around the candidate's process takes at most 10 milliseconds a job.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from statistics import median

from assay.evaluation.evaluate import Evaluator
from assay.sandbox.client import Sandbox
from assay.sandbox.job import Job, Result
from assay.tasks.load import Task
from assay.tasks.payload import encode
from assay.tasks.suites import find_task, suites

LEAST_SPEEDUP = 10.0
MOST_OVERHEAD_MS = 10.0
JOBS, SCRIPTS = 30, 3

SCRIPT = """
import importlib, json, sys
from types import SimpleNamespace
from assay.tasks.payload import decode, encode
sys.path.insert(0, ".")
for name in json.loads(sys.argv[1]):
    importlib.import_module(name)
candidate = SimpleNamespace(load=lambda path: importlib.import_module(path.removesuffix(".py")))
space = {}
exec(compile(open("perform.py").read(), "perform.py", "exec"), space)
open("outputs", "wb").write(encode(space["perform"](candidate, decode(open("inputs", "rb").read()))))
"""


class FirstJob:
    """Stands where the sandbox does, and keeps the first job of an evaluation."""

    job: Job | None = None

    def run(self, job: Job) -> Result:
        self.job = self.job or job
        return Result("crashed", message="only looked at")


def first_job(task: Task) -> Job:
    """The first sandboxed process of an evaluation of the baseline."""
    seen = FirstJob()
    Evaluator(task, seen, seed=0).baseline("val")
    assert seen.job is not None
    return seen.job


def smallest(sandbox: Sandbox) -> tuple[Task, Job]:
    """Of all tasks of fml-mini, the one whose first process needs least time."""
    tasks = [find_task(name) for name in suites()["fml-mini"].tasks]
    jobs = [(sandbox.run(job).clock.cpu_seconds, task, job) for task in tasks for job in [first_job(task)]]
    _, task, job = min(jobs, key=lambda row: row[0])
    return task, job


def measured(action: Callable[[], object], times: int) -> float:
    """Median wall-clock seconds."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        action()
        taken.append(time.perf_counter() - began)
    return median(taken)


def as_script(task: Task, job: Job, folder: Path) -> Callable[[], object]:
    """The same work the usual way: `python evaluate.py` in a new interpreter."""
    for name, text in {**job.files, "perform.py": job.perform_source, "evaluate.py": SCRIPT}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "inputs").write_bytes(job.inputs)
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "evaluate.py", json.dumps(task.spec.preload)]
    return lambda: subprocess.run(command, cwd=folder, env=environment, check=True)


def main() -> None:
    preload = find_task(suites()["fml-mini"].tasks[0]).spec.preload
    with Sandbox(preload) as sandbox:
        print(f"isolation: {sandbox.isolation.level} ({', '.join(sandbox.isolation.measures)})")
        task, job = smallest(sandbox)
        through_server = measured(lambda: sandbox.run(job), JOBS)
        with tempfile.TemporaryDirectory() as folder:
            script = measured(as_script(task, job, Path(folder)), SCRIPTS)
        print(f"{task.id}: {1000 * through_server:.1f} ms in the sandbox, {1000 * script:.0f} ms as a script")
        print(f"{script / through_server:.1f} times faster")
        overhead = overhead_ms(sandbox, job)
    if script / through_server < LEAST_SPEEDUP:
        sys.exit(f"less than {LEAST_SPEEDUP:g} times faster")
    if overhead > MOST_OVERHEAD_MS:
        sys.exit(f"more than {MOST_OVERHEAD_MS:g} ms around a job")


def overhead_ms(sandbox: Sandbox, job: Job) -> float:
    """What a job takes beyond its own process, from the call to the result; median over jobs that do nothing."""
    empty = replace(job, perform_source="def perform(candidate, inputs): return {}", inputs=encode({}))
    beyond, inside, cpu = [], [], []
    for _ in range(JOBS):
        began = time.perf_counter()
        clock = sandbox.run(empty).clock
        beyond.append(1000 * (time.perf_counter() - began - clock.seconds))
        inside.append(1000 * clock.seconds)
        cpu.append(1000 * clock.cpu_seconds)
    # on a machine with other work all of it waits alike: the job's own process tells how much
    share = min(1.0, median(cpu) / median(inside))
    print(
        f"an empty job: {median(cpu):.1f} ms of processor time in its process, most of it the copy and the end of a"
        f" process with all imports done; around it {median(beyond):.1f} ms, without waiting for the processor about"
        f" {share * median(beyond):.1f} ms"
    )
    return share * median(beyond)


if __name__ == "__main__":
    main()
