"""Claim: offline, `autoresearch` improves validation on at least 12 of the 18 tasks and test on at least 9, in the mean
over 3 seeds of 60 steps.

Takes about an hour on two cores, so it runs only when it is named. `python -m benchmarks offline_study`
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from assay.scoring.scores import load_scores

SEEDS, STEPS, VALIDATION, TEST = 3, 60, 12, 9


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "results"
        words = ["run", "--agent", "autoresearch", "--task", "fml-mini", "--steps", str(STEPS), "--seeds", str(SEEDS)]
        jobs = ["--jobs", str(os.cpu_count() or 1), "--out", str(out)]
        subprocess.run([sys.executable, "-m", "assay", *words, *jobs], check=True)
        judge(out)


def judge(results: Path) -> None:
    """Print the mean gains of every task, and end non-zero if too few are above 0."""
    validation: dict[str, list[float]] = {}
    test: dict[str, list[float]] = {}
    for run in load_scores(results).finished:
        validation.setdefault(run.task, []).append(run.improvement_val)
        test.setdefault(run.task, []).append(run.improvement_test or 0.0)
    means = {task: (sum(v) / len(v), sum(test[task]) / len(v), len(v)) for task, v in validation.items()}
    for task, (val, gained, seeds) in sorted(means.items()):
        print(f"{task}: validation {val:+.3f}, test {gained:+.3f} ({seeds} seeds)")
    better = sum(val > 0 for val, _, _ in means.values()), sum(gained > 0 for _, gained, _ in means.values())
    print(f"improved validation on {better[0]} and test on {better[1]} of {len(means)} tasks")
    if better[0] < VALIDATION or better[1] < TEST:
        sys.exit(f"fewer than {VALIDATION} on validation or {TEST} on test")


if __name__ == "__main__":
    main()
