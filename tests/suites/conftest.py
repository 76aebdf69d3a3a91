"""What tests of suites share: fork servers, one for all tasks that import the same."""

from collections.abc import Callable, Iterator

import pytest

from assay.sandbox.client import Sandbox
from assay.tasks.load import Task

Warm = Callable[[Task], Sandbox]


@pytest.fixture(scope="module")
def warm() -> Iterator[Warm]:
    """The sandbox of a task, kept open for the next that imports and hides the same."""
    opened: dict[tuple[tuple[str, ...], tuple[str, ...]], Sandbox] = {}

    def sandbox(task: Task) -> Sandbox:
        key = (task.spec.preload, task.spec.hidden)
        if key not in opened:
            opened[key] = Sandbox(*key)
        return opened[key]

    yield sandbox
    for each in opened.values():
        each.close()
