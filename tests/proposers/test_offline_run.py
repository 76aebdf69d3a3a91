"""The offline proposer in a whole run: real sandbox, real task, no model."""

import subprocess
from collections.abc import Callable
from pathlib import Path

from assay.runs.events import Stepped
from assay.runs.record import read_run, run_folders

AssayCommand = Callable[..., subprocess.CompletedProcess[str]]


def test_finds_a_real_improvement_without_a_model(assay: AssayCommand, tmp_path: Path) -> None:
    task = "fml-mini/fairness_fairlearn"
    done = assay("run", "--agent", "autoresearch", "--task", task, "--steps", "10", "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    (folder,) = run_folders(tmp_path / "out")
    record = read_run(folder)
    assert record.finished is not None
    assert record.finished.best > 0
    values = {e.step: e.outcome.value for e in record.events if isinstance(e, Stepped)}
    start, best = values[0], values[record.finished.best]
    assert start is not None and best is not None
    assert best < start  # the difference between the groups is to be small
