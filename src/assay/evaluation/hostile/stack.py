"""Walks up the stack and through the process's memory for a grader, its secrets or its truth."""

import gc
import sys
from types import ModuleType

WANTED = {"truth", "grader", "grade", "SECRET", "y_eval", "y_test"}


def attack(task_folder: str) -> list[str]:
    reached = []
    frame = sys._getframe()
    while frame is not None:
        if frame.f_code.co_filename.endswith("grader.py"):
            reached.append("a frame of grader.py")
        reached += [f"local '{name}' of {frame.f_code.co_name}" for name in WANTED & set(frame.f_locals)]
        frame = frame.f_back  # type: ignore[assignment]
    modules = [thing for thing in gc.get_objects() if isinstance(thing, ModuleType)]
    reached += [f"module {m.__name__}" for m in modules if str(getattr(m, "__name__", "")).startswith("assay_grader")]
    return reached
