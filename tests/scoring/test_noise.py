"""The noise floor: a real task whose baseline varies with the seed, evaluated in the real sandbox."""

import json
import shutil
import statistics
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from assay.errors import AssayError
from assay.scoring.noise import as_noise, as_toml, measure_noise, summarise_noise
from assay.tasks.load import Task, load_task
from assay.tasks.spec import Metric

NOISY = """
def prepare(split, seed):
    return {"seed": seed}


def grade(outputs, split, seed):
    from assay.tasks.grader import Grade

    return Grade({"height": 25.0 + (1 if split == "val" else 2) * (seed % 2)})
"""


@pytest.fixture
def noisy_task(tiny_task: Task, tmp_path: Path) -> Task:
    shutil.copytree(tiny_task.paths.root, tmp_path / "noisy")
    (tmp_path / "noisy" / "grader.py").write_text(NOISY)
    return load_task(tmp_path / "noisy")


def test_the_spread_over_seeds_of_both_splits(noisy_task: Task) -> None:
    val, test = measure_noise(noisy_task, 4)
    assert val.values == (25.0, 26.0, 25.0, 26.0)
    assert val.sd == pytest.approx(statistics.stdev([0, 1, 0, 1]))
    assert test.sd == pytest.approx(2 * val.sd)
    # the scale runs from the baseline's mean, 25.5, to the best, 0
    assert val.floor == pytest.approx(2 * val.sd / 25.5)
    assert as_toml(as_noise(val, test)) == "[noise]\nseeds = 4\nval_sd = 0.57735\ntest_sd = 1.1547\n"


def test_p_values_spread_on_their_log_scale() -> None:
    metric = Metric(name="p", direction="max", best=0.0, worst="baseline", transform="neg_log10")
    assert summarise_noise(metric, "val", [1e-10, 1e-12]).sd == pytest.approx(statistics.stdev([10, 12]))


def test_the_block_goes_into_task_toml(
    noisy_task: Task, assay: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    shown = assay("noise", noisy_task.paths.root, "--repeats", "3")
    assert shown.returncode == 0, shown.stderr
    block = shown.stdout[shown.stdout.index("[noise]") :]
    with noisy_task.paths.spec.open("a") as file:
        file.write(block)
    measured = load_task(noisy_task.paths.root).spec.noise
    assert measured is not None and measured.seeds == 3
    machine = json.loads(assay("noise", noisy_task.paths.root, "--repeats", "3", "--json").stdout)
    assert machine["val"]["values"] == [25.0, 26.0, 25.0]


def test_a_baseline_that_fails_is_an_error(noisy_task: Task) -> None:
    (noisy_task.paths.root / "grader.py").write_text(NOISY.replace("25.0", "undefined"))
    with pytest.raises(AssayError, match="the baseline of task"):
        measure_noise(load_task(noisy_task.paths.root), 2)
