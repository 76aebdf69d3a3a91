"""Claim: `assay --help` takes at most 0.25 CPU seconds. Also as a multiple of a bare interpreter's start."""

import resource
import subprocess
import sys

LIMIT = 0.25


def cpu_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    bare = min(cpu_seconds([sys.executable, "-c", "pass"]) for _ in range(5))
    shown = min(cpu_seconds([sys.executable, "-m", "assay", "--help"]) for _ in range(5))
    print(f"assay --help: {shown:.3f} CPU s, {shown / bare:.1f} times a bare interpreter ({bare:.3f} CPU s)")
    if shown > LIMIT:
        sys.exit(f"more than {LIMIT} CPU seconds")


if __name__ == "__main__":
    main()
