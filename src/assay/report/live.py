"""What the viewer remembers: the newest page data, packed, and the runs that were opened last. No more than that."""

import gzip
import json
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

from assay.embedding.base import Embedder
from assay.embedding.tokens import Tokens
from assay.report.data import machines, page_data
from assay.report.detail import StepReader, run_folder
from assay.report.maps import exploration_maps
from assay.runs.paths import RunPaths
from assay.scoring.cache import Stamp, stamp
from assay.scoring.scores import load_scores

OPEN_RUNS = 4
"""Runs whose journals are kept in memory, so that walking along a tree reads them once."""


class LiveResults:
    """A results folder that may grow at any time. Safe for any number of threads; reads, and writes only the cache
    of scores. Bodies are compressed JSON."""

    def __init__(self, results: Path, embedder: Embedder | None) -> None:
        """`embedder` measures exploration; None leaves it unmeasured."""
        self._results = results
        self._embedder = embedder
        self._scoring = threading.Lock()
        self._opening = threading.Lock()
        self._stamp = ""
        self._data = b""
        self._maps: dict[str, tuple[str, bytes]] = {}
        self._readers: OrderedDict[str, tuple[Stamp, StepReader]] = OrderedDict()

    def data(self, since: str | None = None) -> bytes | None:
        """All runs as they are now; None if nothing happened since the stamp of an earlier answer."""
        # one reader at a time: a second page that asks meanwhile gets the same answer without the work
        with self._scoring:
            now = results_stamp(self._results)
            if now != self._stamp:
                page = page_data(load_scores(self._results, self._embedder))
                self._data, self._stamp = packed({**page, "stamp": now}), now
        return None if since == now else self._data

    def maps(self, task: str) -> bytes:
        """Where the steps of one task lie. Of a task without runs: nothing."""
        with self._scoring:
            now = results_stamp(self._results)
            if self._maps.get(task, ("", b""))[0] != now:
                runs = [run for run in load_scores(self._results, self._embedder).runs if run.task == task]
                if not runs:
                    return packed({})
                self._maps[task] = now, packed(exploration_maps(self._results, runs, self._embedder or Tokens()))
        return self._maps[task][1]

    def machines(self) -> bytes:
        runs = load_scores(self._results, None).runs
        return packed(machines(self._results, (run.run_id for run in runs)))

    def step(self, run_id: str, index: int) -> bytes:
        """Raises UsageError if there is no such run or step, AssayError if it cannot be read."""
        return packed(self._reader(run_id).detail(index))

    def _reader(self, run_id: str) -> StepReader:
        now = stamp(RunPaths(run_folder(self._results, run_id)))
        with self._opening:
            then, reader = self._readers.get(run_id, (None, None))
            if reader is None or then != now:
                reader = StepReader(self._results, run_id)
            self._readers[run_id] = now, reader
            self._readers.move_to_end(run_id)
            while len(self._readers) > OPEN_RUNS:
                self._readers.popitem(last=False)
            return reader


def packed(value: Any) -> bytes:
    """JSON, compressed. A lone surrogate, which a model can emit, becomes a question mark."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return gzip.compress(text.encode("utf-8", "replace"), compresslevel=1, mtime=0)


def results_stamp(results: Path) -> str:
    """Changes with every event of any run. Cheap: sizes and times alone."""
    files = [p.stat() for p in sorted((results / "runs").glob("*/events.jsonl"))]
    return f"{len(files)}-{sum(f.st_size for f in files)}-{max((f.st_mtime_ns for f in files), default=0)}"
