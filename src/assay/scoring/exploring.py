"""From the candidates of a run to its exploration metrics."""

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path

from assay.embedding.base import Embedder
from assay.embedding.chunks import pieces_of
from assay.embedding.tokens import Tokens
from assay.runs.blobs import Blobs
from assay.runs.events import Proposed, Stepped
from assay.runs.paths import ResultPaths
from assay.runs.record import RunRecord, blobs_of, read_run
from assay.scoring.exploration import Exploration, explore
from assay.scoring.summary import RunSummary
from assay.tasks.facts import TaskFacts

MEAN = "+mean"
"""Ends the key under which the variant that is free of file length is kept."""
LEFT_OUT = frozenset({"split_config.json", "notes.txt"})
"""Files that hold no method; FML-bench's scorer leaves them out too."""
SHARE = 10
"""Runs a process is given at a time."""


def explored(results: Path, runs: Iterable[RunSummary], embedder: Embedder) -> dict[str, RunSummary]:
    """The runs that this embedder had not seen, by id, with their exploration metrics. Raises AssayError if code is lost."""
    fresh = [run for run in runs if embedder.name not in run.explorations]
    if isinstance(embedder, Tokens) and len(fresh) > SHARE:
        found = _in_processes(results, fresh, embedder)
    else:
        found = _explore_all(results, [(run.run_id, run.facts) for run in fresh], embedder)
    return {
        run.run_id: replace(run, explorations=run.explorations | extra) for run, extra in zip(fresh, found, strict=True)
    }


def _in_processes(results: Path, fresh: Sequence[RunSummary], embedder: Embedder) -> list[dict[str, Exploration]]:
    """On all cores: an embedder without a model needs no sharing, so every process can have its own."""
    shares = [
        [(run.run_id, run.facts) for run in fresh[start : start + SHARE]] for start in range(0, len(fresh), SHARE)
    ]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        futures = [pool.submit(_explore_all, results, share, embedder) for share in shares]
        return [found for future in futures for found in future.result()]


def _explore_all(
    results: Path, runs: Sequence[tuple[str, TaskFacts]], embedder: Embedder
) -> list[dict[str, Exploration]]:
    blobs = blobs_of(results)
    paths = ResultPaths(results)
    return [_explore_run(read_run(paths.run(run_id).root), facts, blobs, embedder) for run_id, facts in runs]


def _explore_run(record: RunRecord, facts: TaskFacts, blobs: Blobs, embedder: Embedder) -> dict[str, Exploration]:
    texts = step_codes(record, facts, blobs)
    if facts.files:
        texts.append(_code(facts.files, blobs))
    vectors = embedder.embed(texts)
    means = vectors / pieces_of(embedder, texts)[:, None]
    steps = len(texts) - bool(facts.files)
    return {
        embedder.name: explore(vectors[:steps], vectors[steps:] if facts.files else None),
        embedder.name + MEAN: explore(means[:steps], means[steps:] if facts.files else None),
    }


def step_codes(record: RunRecord, facts: TaskFacts, blobs: Blobs) -> list[str]:
    """The full code of each step in order: all editable files, those a step left alone from the baseline."""
    proposed = {event.step: event.files for event in record.events if isinstance(event, Proposed)}
    taken = [event.step for event in record.events if isinstance(event, Stepped) and event.step > 0]
    return [_code({**facts.files, **proposed.get(step, {})}, blobs) for step in taken]


def _code(files: dict[str, str], blobs: Blobs) -> str:
    return "\n".join(blobs.get(digest) for path, digest in sorted(files.items()) if Path(path).name not in LEFT_OUT)
