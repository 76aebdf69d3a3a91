"""How fast journals become tables: `python -m benchmarks.scoring`.

Claims, for 1,000 runs of 100 steps: without embeddings under 5 s and 1 GB, a second call under 1 s, with `tokens` under
60 s, for short made-up code and for edits of real files; and linear in the number of steps. Every call is a process of
its own, as a user has it. On a machine that is busy with other work, CPU seconds over the number of cores stand in for
the wall clock.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.journals import write_sweep

import assay

CODE_LINES = 100
LINEAR = 1.25
"""How much more than twice as long twice as many steps may take, as a factor, before it is no longer linear."""


@dataclass(frozen=True)
class Cost:
    """What one call took."""

    wall: float
    cpu: float
    peak_mb: float

    @property
    def seconds(self) -> float:
        return min(self.wall, self.cpu / (os.cpu_count() or 1))

    def __str__(self) -> str:
        return f"{self.wall:6.2f} s wall, {self.cpu:6.2f} s CPU, {self.peak_mb:5.0f} MB at most in one process"


def score(results: Path, *words: str) -> Cost:
    """One call of `assay score`, measured with its children."""
    command = [sys.executable, "-m", "assay", "score", str(results), *words]
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if process.returncode:
        sys.exit(f"{' '.join(command)} ended with {process.returncode}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def forget(results: Path) -> None:
    shutil.rmtree(results / ".cache", ignore_errors=True)


def own_files() -> list[str]:
    """Twenty modules of Assay itself, of a length that tasks have."""
    texts = [path.read_text() for path in sorted(Path(assay.__file__).parent.glob("*/*.py"))]
    return [text for text in texts if 100 <= text.count("\n") <= 300][::3][:20]


def linearity(root: Path) -> float:
    """CPU seconds for twice the steps over twice the CPU seconds, what a call costs without any run taken off."""
    costs = {}
    for name, shape in {"none": (1, 1, 1, 1), "short": (4, 10, 5, 100), "long": (4, 10, 5, 200)}.items():
        write_sweep(root / name, *shape)
        costs[name] = min(_cold(root / name) for _ in range(3))
    return (costs["long"] - costs["none"]) / (2 * (costs["short"] - costs["none"]))


def _cold(results: Path) -> float:
    forget(results)
    return score(results).cpu


def main() -> None:
    failed = []

    def claim(what: str, value: float, limit: float, unit: str) -> None:
        held = value < limit
        print(f"  {'holds' if held else 'FAILS'}: {what} {value:.2f} {unit}, claimed under {limit:g} {unit}")
        if not held:
            failed.append(what)

    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder) / "thousand"
        count = write_sweep(results, agents=10, tasks=20, seeds=5, steps=100, code_lines=CODE_LINES)
        print(f"{count} runs of 100 steps, {CODE_LINES} lines of code each")
        cold = score(results)
        print(f"cold:        {cold}")
        claim("without embeddings", cold.seconds, 5, "s")
        claim("memory", cold.peak_mb / 1024, 1, "GB")
        warm = min((score(results) for _ in range(3)), key=lambda cost: cost.seconds)
        print(f"second call: {warm}")
        claim("second call", min(warm.wall, warm.cpu), 1, "s")
        forget(results)
        tokens = score(results, "--embedder", "tokens")
        print(f"tokens, cold: {tokens}")
        claim("with tokens", tokens.seconds, 60, "s")
        shutil.rmtree(results)
        sources = own_files()
        write_sweep(results, agents=10, tasks=20, seeds=5, steps=100, sources=sources)
        lines = sum(source.count("\n") for source in sources) / len(sources)
        tokens = score(results, "--embedder", "tokens")
        print(f"tokens, cold, edits of real files of {lines:.0f} lines: {tokens}")
        claim("with tokens, real files", tokens.seconds, 60, "s")
        claim("twice the steps, over twice the time", linearity(Path(folder)), LINEAR, "")
    if failed:
        sys.exit(f"not as claimed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
