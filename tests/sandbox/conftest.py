"""One warm sandbox for all tests here, and a short way to run a candidate in it."""

from collections.abc import Callable, Iterator
from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from assay.sandbox.client import Sandbox
from assay.sandbox.job import Job, Result
from assay.tasks.payload import encode
from assay.tasks.spec import Limits

PERFORM = """
def perform(candidate, inputs):
    return {"y": candidate.load("algorithm.py").solve(inputs["x"])}
"""

Run = Callable[..., Result]


def make_job(source: str, files: dict[str, str] | None = None, perform: str = PERFORM, **limits: Any) -> Job:
    """A candidate of one file that defines `solve(x)`; other files may lie beside it."""
    workspace = {"algorithm.py": dedent(source), **(files or {})}
    bounds = Limits(**{"seconds": 20.0, "memory_mb": 512, "processes": 16, "scratch_mb": 16, "output_mb": 1, **limits})
    return Job(dedent(perform), workspace, encode({"x": np.arange(4.0)}), bounds)


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(preload=("numpy", "sklearn.datasets")) as shared:
        yield shared


@pytest.fixture
def job() -> Callable[..., Job]:
    return make_job


@pytest.fixture
def run(sandbox: Sandbox) -> Iterator[Run]:
    """Runs a candidate. After the test, a harmless one must run normally in the same server."""
    server = sandbox._running()

    yield lambda source, **options: sandbox.run(make_job(source, **options))

    after = sandbox.run(make_job("import os\ndef solve(x):\n    return [float(x.sum()), sorted(os.listdir('.'))]"))
    assert (after.kind, after.log_tail) == ("ok", ""), after
    assert after.outputs == {"y": [6.0, ["algorithm.py"]]}
    assert sandbox._running() is server, "the server had to be restarted"


@pytest.fixture
def needs_full(sandbox: Sandbox) -> None:
    if sandbox.isolation.level != "full":
        pytest.skip(f"this machine does not isolate fully: {'; '.join(sandbox.isolation.missing)}")
