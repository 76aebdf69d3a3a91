"""The exploration map: where each step's code lies, in two dimensions that all runs of a task share."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from assay.embedding.base import Embedder
from assay.report.detail import StepReader
from assay.scoring.summary import RunSummary

RUNS_PER_TASK = 12
"""A map of more paths than this shows nothing any more."""


def exploration_maps(results: Path, runs: Iterable[RunSummary], embedder: Embedder) -> dict[str, list[list[float]]]:
    """Places by run, the baseline first: the two directions in which the programs of a task differ most (PCA)."""
    by_task: dict[str, list[RunSummary]] = defaultdict(list)
    for run in sorted(runs, key=lambda run: (run.seed, run.agent)):
        if len(by_task[run.task]) < RUNS_PER_TASK and len(run.steps):
            by_task[run.task].append(run)
    found: dict[str, list[list[float]]] = {}
    for chosen in by_task.values():
        found |= _one_task(results, [run.run_id for run in chosen], embedder)
    return found


def _one_task(results: Path, run_ids: list[str], embedder: Embedder) -> dict[str, list[list[float]]]:
    codes: list[str] = []
    lengths: list[int] = []
    for run_id in run_ids:
        reader = StepReader(results, run_id)
        own = ["\n".join(reader.files(index).values()) for index in reader.steps]
        codes += own
        lengths.append(len(own))
    unique = {code: number for number, code in enumerate(dict.fromkeys(codes))}
    vectors = np.asarray(embedder.embed(list(unique)), np.float64)
    centred = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    places = centred @ directions[:2].T
    if places.shape[1] < 2:
        places = np.pad(places, ((0, 0), (0, 2 - places.shape[1])))
    rounded = np.round(places, 4).tolist()
    found, start = {}, 0
    for run_id, length in zip(run_ids, lengths, strict=True):
        found[run_id] = [rounded[unique[code]] for code in codes[start : start + length]]
        start += length
    return found
