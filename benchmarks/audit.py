"""Claim: a folder of 2,000 files and 200 MB is audited in under 60 s of CPU time and 1 GB of memory."""

import csv
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

FILES = 2000
MEGABYTES = 200
SECONDS = 60.0
GIGABYTES = 1.0

SCRIPT = """import json
import numpy as np
from sklearn.linear_model import LogisticRegression

def evaluate_{i}(seed, scale=0.35):
    rng = np.random.default_rng(seed)
    x = rng.normal(0, scale, (200, 8))
    y = (x[:, 0] > 0).astype(int)
    model = LogisticRegression().fit(x[:100], y[:100])
    try:
        return {{"accuracy": float((model.predict(x[100:]) == y[100:]).mean())}}
    except ValueError:
        return {{"accuracy": float("nan")}}

if __name__ == "__main__":
    results = {{seed: evaluate_{i}(seed) for seed in range(5)}}
    json.dump(results, open("results/run_{i}.json", "w"))
"""


def build(root: Path) -> int:
    """A folder as a long agent run leaves it: scripts, logs, many small results, a few large ones. Returns its size."""
    rng = random.Random(0)
    for i in range(400):
        (root / f"run_{i}.py").write_text(SCRIPT.format(i=i))
    for i in range(FILES - 400 - 120 - 60 - 10):
        runs = {str(seed): {"accuracy": rng.random(), "loss": [rng.random() for _ in range(50)]} for seed in range(5)}
        (root / f"run_{i}.json").write_text(json.dumps(runs))
    for i in range(120):
        lines = [
            f"2026-01-01 10:{j // 60 % 60:02}:{j % 60:02},{rng.randrange(1000):03} INFO step {j} loss "
            f"{rng.random():.6f}"
            for j in range(4000)
        ]
        (root / f"run_{i}.log").write_text("\n".join(lines))
    for i in range(60):
        with (root / f"table_{i}.csv").open("w") as file:
            out = csv.writer(file)
            out.writerow(["method", "seed", "accuracy", "time"])
            out.writerows([rng.choice(["a", "b", "c"]), j, rng.random(), 9 * rng.random()] for j in range(3000))
    rows = "\n".join(f"| run {i} | {rng.random():.3f} | {rng.random():.2f} |" for i in range(500))
    (root / "results.md").write_text(f"# Results\n\n| Run | Accuracy | Loss |\n|---|---|---|\n{rows}\n")
    used = sum(path.stat().st_size for path in root.iterdir())
    large = max(0, MEGABYTES * 10**6 - used) // 9
    for i in range(9):
        _predictions(root / f"predictions_{i}.json", large, rng)
    return sum(path.stat().st_size for path in root.iterdir())


def _predictions(path: Path, size: int, rng: random.Random) -> None:
    block = ", ".join(f'{{"id": {j}, "probability": {rng.random()}, "logit": {rng.gauss(0, 3)}}}' for j in range(5000))
    with path.open("w") as file:
        file.write("[" + block)
        while file.tell() < size:
            file.write(",\n" + block)
        file.write("]")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        size = build(Path(folder))
        count = sum(1 for _ in Path(folder).iterdir())
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-m", "assay", "audit", folder, "--json"], capture_output=True, check=True
        )
        wall = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, gigabytes = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e9
    traced = len(json.loads(done.stdout)["numbers"])
    print(
        f"{count} files, {size / 1e6:.0f} MB, {traced} numbers traced: {seconds:.1f} CPU s ({wall:.1f} s wall), "
        f"{gigabytes:.2f} GB"
    )
    if seconds > SECONDS or gigabytes > GIGABYTES:
        sys.exit(f"more than {SECONDS:g} s or {GIGABYTES:g} GB")


if __name__ == "__main__":
    main()
