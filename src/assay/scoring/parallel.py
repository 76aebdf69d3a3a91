"""Much work of one kind on all cores."""

import os
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

SHARE = 10
"""Items a process is given at a time."""
WORTH_IT = 50
"""Fewer items than this are done sooner than a second process is started."""


def on_all_cores(work: Callable[[Sequence[Item]], list[Result]], items: Sequence[Item]) -> list[Result]:
    """`work` applied to shares of the items, its results in the order of the items. Both must be picklable."""
    # a fork copies locks that other threads hold, and elsewhere than on Linux system libraries do not survive one
    forks = sys.platform == "linux" and threading.active_count() == 1
    if not forks or len(items) < WORTH_IT or (os.cpu_count() or 1) == 1:
        return work(items)
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    shares = [items[start : start + SHARE] for start in range(0, len(items), SHARE)]
    with ProcessPoolExecutor(os.cpu_count(), mp_context=multiprocessing.get_context("fork")) as pool:
        return [result for results in pool.map(work, shares) for result in results]
