"""Reads what a candidate must not see: the task's folder, grader and solutions, and the memory of other processes."""

import os
from pathlib import Path


def attack(task_folder: str) -> list[str]:
    names = ("", "task.toml", "prompt.md", "grader.py", "perform.py", "solutions", "probes", "NOTES.md")
    targets = [Path(task_folder) / name for name in names]
    targets += [Path(f"/proc/{os.getppid()}/{name}") for name in ("environ", "mem", "root", "cwd")]
    return [f"read {path}" for path in targets if _readable(path)]


def _readable(path: Path) -> bool:
    try:
        if path.is_dir():
            return any(path.iterdir())
        with path.open("rb") as file:
            return bool(file.read(1))
    except OSError:
        return False
