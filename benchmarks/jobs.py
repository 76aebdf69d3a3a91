"""Claim: `--jobs 2` on two cores has at least 1.7 times the throughput of `--jobs 1` on a sweep of equal runs.

Measured on a task whose evaluations are few long processes. Where an evaluation starts many short ones, as in
continual_learning, preparing the next process already keeps the second core busy, and two jobs gain about 1.3 times.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMIT = 1.7
RUNS, STEPS = 6, 10


def seconds(jobs: int, out: Path) -> float:
    words = ["run", "--agent", "oracle", "--task", "fml-mini/generalization_domainbed", "--seeds", str(RUNS)]
    command = [sys.executable, "-m", "assay", *words, "--steps", str(STEPS), "--jobs", str(jobs), "--out", str(out)]
    began = time.monotonic()
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return time.monotonic() - began


def main() -> None:
    if (os.cpu_count() or 1) < 2:
        print("needs two cores: not measured")
        return
    with tempfile.TemporaryDirectory() as folder:
        one = seconds(1, Path(folder) / "one")
        two = seconds(2, Path(folder) / "two")
    print(f"{RUNS} equal runs: {one:.1f} s with one job, {two:.1f} s with two, {one / two:.2f} times")
    if one / two < LIMIT:
        sys.exit(f"less than {LIMIT} times")


if __name__ == "__main__":
    main()
