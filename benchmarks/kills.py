"""Claim: fifty SIGKILLs at random moments of one sweep change no final score.

The whole engine is killed, workers and sandboxes die with it, and the same command is given again.
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from assay.runs.record import read_run
from assay.tasks.new import new_task

KILLS = 50
STEPS = 40


def scores(results: Path) -> dict[str, Any]:
    records = [read_run(folder) for folder in sorted((results / "runs").iterdir())]
    return {record.run_id: (record.finished and record.finished.best, record.tested("best")) for record in records}


def main() -> None:
    rng = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        new_task(root / "task", "bench/killed")

        def command(out: str) -> list[str]:
            words = ["run", "--agent", "autoresearch,aide", "--task", str(root / "task"), "--steps", str(STEPS)]
            return [sys.executable, "-m", "assay", *words, "--jobs", "2", "--out", str(root / out)]

        subprocess.run(command("calm"), check=True, stderr=subprocess.DEVNULL)
        kills = restarts = 0
        while kills < KILLS:
            engine = subprocess.Popen(command("stormy"), stderr=subprocess.DEVNULL)
            try:
                engine.wait(timeout=rng.uniform(0.5, 2.5))
                (root / "stormy").rename(root / f"finished{restarts}")  # done: begin another and go on killing
                restarts += 1
            except subprocess.TimeoutExpired:
                engine.kill()
                engine.wait()
                kills += 1
        subprocess.run(command("stormy"), check=True, stderr=subprocess.DEVNULL)
        calm = strip(scores(root / "calm"))
        storms = [strip(scores(path)) for path in [root / "stormy", *root.glob("finished*")]]
    print(f"{kills} kills over {len(storms)} sweeps of {len(calm)} runs: ", end="")
    if any(storm != calm for storm in storms):
        sys.exit("scores differ")
    print("all final scores equal those of the undisturbed sweep")


def strip(found: dict[str, Any]) -> dict[str, Any]:
    """Without clocks, which alone may differ."""
    return {run: (best, tested.step, tested.outcome) for run, (best, tested) in found.items()}


if __name__ == "__main__":
    main()
