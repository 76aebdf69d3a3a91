"""The exploration map: where each step's code lies, in two dimensions that all runs of a task share."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from assay.embedding.base import Embedder
from assay.runs.paths import ResultPaths
from assay.runs.record import blobs_of, read_run
from assay.scoring.exploring import LostCode, step_codes
from assay.scoring.summary import RunSummary

RUNS_PER_TASK = 12
"""A map of more paths than this shows nothing any more."""

Places = list[list[float]]
"""Of one run: its baseline, then its steps."""


def exploration_maps(results: Path, runs: Iterable[RunSummary], embedder: Embedder) -> dict[str, Places]:
    """Places by run: the two directions in which the programs of a task differ most (PCA).

    The first runs of a task by seed are placed; a run whose code is lost or that does not know its baseline is not.
    """
    by_task: dict[str, list[RunSummary]] = defaultdict(list)
    for run in sorted(runs, key=lambda run: (run.seed, run.agent)):
        if len(by_task[run.task]) < RUNS_PER_TASK and len(run.steps) and run.facts.files:
            by_task[run.task].append(run)
    found: dict[str, Places] = {}
    for chosen in by_task.values():
        found |= _one_task(results, chosen, embedder)
    return found


def _one_task(results: Path, runs: Iterable[RunSummary], embedder: Embedder) -> dict[str, Places]:
    codes: dict[str, list[str]] = {}
    for run in runs:
        try:
            *steps, baseline = step_codes(
                read_run(ResultPaths(results).run(run.run_id).root), run.facts, blobs_of(results)
            )
        except LostCode:
            continue
        codes[run.run_id] = [baseline, *steps]
    unique = {code: number for number, code in enumerate(dict.fromkeys(c for own in codes.values() for c in own))}
    if not unique:
        return {}
    places = np.round(_two_directions(np.asarray(embedder.embed(list(unique)), np.float64)), 4).tolist()
    return {run_id: [places[unique[code]] for code in own] for run_id, own in codes.items()}


def _two_directions(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """The first two principal components of each row; zeros where there are fewer directions."""
    centred = vectors - vectors.mean(axis=0)
    # the smaller of the two products of the matrix with itself has all that is needed, and is much sooner solved
    if len(centred) <= centred.shape[1]:
        weights, axes = np.linalg.eigh(centred @ centred.T)
        places = axes[:, ::-1][:, :2] * np.sqrt(np.clip(weights[::-1][:2], 0, None))
    else:
        _, axes = np.linalg.eigh(centred.T @ centred)
        places = centred @ axes[:, ::-1][:, :2]
    return np.pad(places, ((0, 0), (0, 2 - places.shape[1])))
