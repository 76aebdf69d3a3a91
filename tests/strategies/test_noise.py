"""What luck alone reaches on real tasks: nothing, within their noise floor."""

from pathlib import Path

import pytest

from assay.runs.run import Sandboxes, carry_out
from assay.runs.session import Control
from assay.runs.spec import Caps, RunSpec
from assay.scoring.scores import load_scores

STEPS = 5
"""One turn of baseline and probes, and the baseline once more."""


@pytest.mark.parametrize("task", ["causality_causalml", "fairness_fairlearn", "generalization_officehome"])
def test_noise_ends_at_zero_within_the_noise_floor(task: str, tmp_path: Path) -> None:
    spec = RunSpec(agent="noise", task=f"fml-mini/{task}", caps=Caps(steps=STEPS))
    with Sandboxes() as sandboxes:
        carry_out(spec, tmp_path, sandboxes, Control())
    (run,) = load_scores(tmp_path).finished
    assert len(run.steps) == STEPS
    assert run.within_noise, f"luck was worth {run.sigmas:.1f} standard deviations"
