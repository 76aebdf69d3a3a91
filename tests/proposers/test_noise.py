"""The proposer without ideas: what it changes, and that it never looks back."""

import ast

import pytest

from assay.proposers.base import View
from assay.proposers.noise import NoiseProposer, reseeded
from assay.strategies.request import Request, Step
from assay.tasks.load import Task
from assay.tasks.outcome import Outcome
from assay.tasks.suites import find_task

SEEDED = """\
import numpy as np
from sklearn.linear_model import LogisticRegression


def fit(X, y, seed):
    rng = np.random.default_rng(seed)
    other = np.random.default_rng([seed, 1])
    fixed = np.random.RandomState(int(np.random.default_rng(0).integers(9)))
    return LogisticRegression(C=1.0, random_state=seed), LogisticRegression(random_state=None), rng.normal(size=3)
"""


@pytest.fixture(scope="module")
def task() -> Task:
    return find_task("fml-mini/fairness_fairlearn")


def view(task: Task, moment: int, seed: int = 0, value: float = 0.5) -> View:
    start = Step(index=0, request=None, candidate=task.baseline, outcome=Outcome(kind="ok", value=value))
    return View(task=task, steps=[start], seed=seed, moment=moment)


def test_every_seed_is_shifted_and_nothing_else() -> None:
    before, after = SEEDED.splitlines(), reseeded(SEEDED, 7).splitlines()
    assert after[5] == "    rng = np.random.default_rng((seed) + 7)"
    assert after[7] == "    fixed = np.random.RandomState((int(np.random.default_rng(0).integers(9))) + 7)"
    assert "C=1.0, random_state=(seed) + 7" in after[8] and "random_state=None" in after[8]
    assert [number for number, (a, b) in enumerate(zip(before, after, strict=False)) if a != b] == [5, 7, 8]
    assert after[9:] == ["# random numbers 7"]


def test_baseline_and_probes_take_turns_and_no_candidate_comes_twice(task: Task) -> None:
    proposals = [NoiseProposer().propose(Request(kind="noise"), view(task, moment)) for moment in range(12)]
    names = [proposal.description.split()[0] for proposal in proposals]
    assert names == ["baseline", "constant", "random", "shuffled"] * 3
    candidates = [proposal.candidate for proposal in proposals]
    assert len({candidate.digest for candidate in candidates if candidate}) == 12
    for candidate in candidates:
        assert candidate is not None
        for text in candidate.files.values():
            ast.parse(text)


def test_it_learns_nothing_and_another_run_has_other_luck(task: Task) -> None:
    def proposed(**changes: float) -> object:
        return NoiseProposer().propose(Request(kind="noise"), view(task, 4, **changes))  # type: ignore[arg-type]

    assert proposed(value=0.1) == proposed(value=0.9)
    assert proposed(seed=1) != proposed(seed=2)
