"""Research folders made by real runs."""

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from assay.research.bench import Bench
from assay.research.briefs import find_brief
from assay.research.paths import ResearchPaths
from assay.research.run import Plan, models_by_stage, run_research
from assay.sandbox.client import Sandbox

QUICK = "mlr-demo/wrong_labels"
QUICK_SEED = 2
"""The question with the smallest data set."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The folder of a project."""
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def bench(root: Path, sandbox: Sandbox) -> Bench:
    return Bench(ResearchPaths(root), sandbox, ("wine",))


@pytest.fixture(scope="session")
def offline_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project that the plain researcher completed."""
    folder = tmp_path_factory.mktemp("research") / "wrong_labels"
    plan = Plan(brief=find_brief(QUICK), models=models_by_stage(()), seed=QUICK_SEED)
    run_research(plan, folder)
    return folder


@pytest.fixture
def command_line() -> Sequence[str]:
    """`assay research` as a process that can be killed."""
    return (sys.executable, "-c", "from assay.cli.research import command; command()")
