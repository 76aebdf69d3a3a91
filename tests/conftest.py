"""What all tests share: a tiny real task, a real sandbox, and the command line as a real process."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from assay.sandbox.client import Sandbox
from assay.tasks.load import Task, load_task

TINY = {
    "task.toml": """\
schema = 1
id = "tiny/valley"
title = "Find the bottom of a valley"
area = "Testing"
question = "Which point is lowest?"
editable = ["algorithm.py"]
preload = ["numpy"]
[defines]
"algorithm.py" = ["answer"]
[metric]
name = "height"
direction = "min"
best = 0.0
[limits]
seconds = 10
memory_mb = 512
[baseline]
val = 25.0
test = 25.25
""",
    "prompt.md": "Return the point (x, y) at which the valley is lowest. Lower `height` is better.\n",
    "workspace/algorithm.py": "X = 8.0\nSTEPS = 4\nSHIFT = False\n\n\n"
    "def answer():\n    return X + STEPS - (1.0 if SHIFT else 0.0)\n",
    "perform.py": "def perform(candidate, inputs):\n"
    '    return {"x": float(candidate.load("algorithm.py").answer()), "seed": inputs["seed"]}\n',
    "grader.py": "from assay.tasks.grader import Grade, InvalidOutput\n\n\n"
    'def prepare(split, seed):\n    return {"seed": seed}\n\n\n'
    "def grade(outputs, split, seed):\n"
    '    if not isinstance(outputs.get("x"), float):\n        raise InvalidOutput("x is not a number")\n'
    '    return Grade({"height": (outputs["x"] - 7.0) ** 2 + (0.25 if split == "test" else 0.0)})\n',
    "solutions/bottom/algorithm.py": "def answer():\n    return 7.0\n",
}
"""A task whose evaluation takes milliseconds: the lowest point is at 7, the baseline stands at 12."""


@pytest.fixture(scope="session")
def tiny_task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    root = tmp_path_factory.mktemp("tasks") / "valley"
    for name, text in TINY.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return load_task(root)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    """One fork server for all tests that need nothing but numpy."""
    with Sandbox(("numpy",)) as opened:
        yield opened


@pytest.fixture
def assay(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """The command line as a user has it: a real process, in an empty folder, without keys."""

    def call(*words: str | Path) -> subprocess.CompletedProcess[str]:
        keyless = {k: v for k, v in os.environ.items() if not k.endswith("_API_KEY")}
        command = [sys.executable, "-m", "assay", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=keyless, timeout=300)

    return call
