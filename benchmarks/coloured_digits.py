"""Claim: offline, every strategy improves the coloured digits within 40 steps for at least 2 of 3 seeds.

Takes a quarter of an hour on two cores, so it runs only when it is named.
"""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from assay.scoring.scores import load_scores

AGENTS = ("ai_scientist", "ai_scientist_v2", "aide", "aira_mcts", "autoresearch", "openevolve", "adaptive_search")
SEEDS, WANTED = 3, 2


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "results"
        words = ["run", "--agent", ",".join(AGENTS), "--task", "fml-mini/generalization_domainbed", "--steps", "40"]
        jobs = ["--seeds", str(SEEDS), "--jobs", str(os.cpu_count() or 1), "--out", str(out)]
        subprocess.run([sys.executable, "-m", "assay", *words, *jobs], check=True)
        improved = Counter(run.agent for run in load_scores(out).runs if run.improvement_val > 0)
    for agent in AGENTS:
        print(f"{agent}: improved validation for {improved[agent]} of {SEEDS} seeds")
    if any(improved[agent] < WANTED for agent in AGENTS):
        sys.exit(f"a strategy improved fewer than {WANTED} of {SEEDS} seeds")


if __name__ == "__main__":
    main()
