"""Reads what a candidate must not see: the task's folder, grader and solutions, and the memory of other processes."""

import os


def attack(task_folder: str) -> list[str]:
    names = ("", "task.toml", "prompt.md", "grader.py", "perform.py", "solutions", "probes", "NOTES.md")
    targets = [os.path.join(task_folder, name) for name in names]  # noqa: PTH118
    targets += [f"/proc/{os.getppid()}/{name}" for name in ("environ", "mem", "root", "cwd")]
    return [f"read {path}" for path in targets if _readable(path)]


def _readable(path: str) -> bool:
    try:
        if os.path.isdir(path):  # noqa: PTH112
            return bool(os.listdir(path))  # noqa: PTH208
        with open(path, "rb") as file:  # noqa: PTH123
            return bool(file.read(1))
    except OSError:
        return False
