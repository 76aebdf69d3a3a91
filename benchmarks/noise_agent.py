"""Claim: an agent that only tries noise ends at 0 within the noise floor, on each of the 18 tasks.

`noise` picks the luckiest of 16 candidates without any idea in them. What it gains on test, in the mean over 3 seeds,
must be less than two standard deviations of the baseline over seeds. A single run may be beyond them: its baseline had
its luck too, and the difference of two draws varies more than one. Takes about twenty minutes on two cores, so it runs
only when it is named. `python -m benchmarks noise_agent`
"""

import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from assay.scoring.scores import load_scores
from assay.scoring.summary import NOISE_SIGMAS, RunSummary

SEEDS, STEPS = 3, 16


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "results"
        words = ["run", "--agent", "noise", "--task", "fml-mini", "--steps", str(STEPS), "--seeds", str(SEEDS)]
        jobs = ["--jobs", str(os.cpu_count() or 1), "--out", str(out)]
        subprocess.run([sys.executable, "-m", "assay", *words, *jobs], check=True)
        judge(out)


def judge(results: Path) -> None:
    """Print what each task's runs gained, in standard deviations, and end non-zero if one is beyond its noise floor."""
    runs: dict[str, list[RunSummary]] = defaultdict(list)
    for run in load_scores(results).finished:
        runs[run.task].append(run)
    beyond, single = [], 0
    for task, its in sorted(runs.items()):
        sigmas = [run.sigmas if run.sigmas is not None else float("inf") for run in its]
        mean = sum(sigmas) / len(sigmas)
        better = sum(int((run.steps.improvement > 0).sum()) for run in its)
        print(
            f"{task}: {mean:.2f} standard deviations ({', '.join(f'{each:.2f}' for each in sigmas)}); "
            f"{better} of {sum(len(run.steps) for run in its)} steps beat the baseline on validation"
        )
        single += sum(each >= NOISE_SIGMAS for each in sigmas)
        if mean >= NOISE_SIGMAS:
            beyond.append(task)
    print(f"{single} of {sum(map(len, runs.values()))} single runs gained {NOISE_SIGMAS:g} standard deviations or more")
    if beyond or not runs:
        sys.exit(f"luck is worth more than {NOISE_SIGMAS:g} standard deviations: {', '.join(beyond) or 'no run'}")


if __name__ == "__main__":
    main()
