"""From the candidates of a run to its exploration metrics."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from assay.embedding.base import Embedder, Vectors
from assay.errors import AssayError
from assay.runs.blobs import Blobs
from assay.runs.events import Proposed, Stepped
from assay.runs.paths import ResultPaths
from assay.runs.record import RunRecord, blobs_of, read_run
from assay.scoring.exploration import Exploration, explore
from assay.scoring.parallel import on_all_cores
from assay.scoring.summary import RunSummary
from assay.tasks.facts import TaskFacts

MEAN = "+mean"
"""Ends the key under which the variant that is free of file length is kept."""
LEFT_OUT = frozenset({"split_config.json", "notes.txt"})
"""Files that hold no method; FML-bench's scorer leaves them out too."""


class LostCode(AssayError):
    """A candidate's code is not among the blobs."""

    def __reduce__(self) -> tuple[type["LostCode"], tuple[str, str]]:
        return LostCode, (self.message, self.hint)


def explored(
    results: Path, runs: Iterable[RunSummary], embedder: Embedder
) -> tuple[dict[str, RunSummary], dict[str, AssayError]]:
    """Runs that this embedder had not seen, now with their metrics, and those whose code is lost; both by id."""
    from assay.embedding.tokens import Tokens

    fresh = [run for run in runs if embedder.name not in run.explorations]
    wanted = [(run.run_id, run.facts) for run in fresh]
    work = partial(_explore_all, results, embedder)
    # an embedder without a model has nothing to share, so every process can have its own
    answers = on_all_cores(work, wanted) if isinstance(embedder, Tokens) else work(wanted)
    found: dict[str, RunSummary] = {}
    lost: dict[str, AssayError] = {}
    for run, answer in zip(fresh, answers, strict=True):
        if isinstance(answer, LostCode):
            lost[run.run_id] = answer
        else:
            found[run.run_id] = replace(run, explorations=run.explorations | answer)
    return found, lost


def _explore_all(
    results: Path, embedder: Embedder, runs: Sequence[tuple[str, TaskFacts]]
) -> list[dict[str, Exploration] | LostCode]:
    blobs = blobs_of(results)
    paths = ResultPaths(results)
    found: list[dict[str, Exploration] | LostCode] = []
    for run_id, facts in runs:
        try:
            texts = step_codes(read_run(paths.run(run_id).root), facts, blobs)
        except LostCode as lost:
            found.append(lost)
            continue
        found.append(_explore_run(texts, bool(facts.files), embedder))
    return found


def _explore_run(texts: Sequence[str], with_baseline: bool, embedder: Embedder) -> dict[str, Exploration]:
    """`texts` are the codes of the steps, and that of the baseline at the end where it is known."""
    from assay.embedding.chunks import InPieces

    vectors = embedder.embed(texts)
    means = vectors / embedder.pieces(texts)[:, None] if isinstance(embedder, InPieces) else vectors
    # on one thread: the matrices are small, every core has its own process, and the last digit is the same everywhere
    with _threads().limit(limits=1, user_api="blas"):
        found = _explore(vectors, with_baseline)
        mean = found if means is vectors else _explore(means, with_baseline)
    return {embedder.name: found, embedder.name + MEAN: mean}


def _explore(vectors: Vectors, with_baseline: bool) -> Exploration:
    return explore(vectors[:-1], vectors[-1:]) if with_baseline else explore(vectors, None)


@cache
def _threads() -> Any:
    from threadpoolctl import ThreadpoolController  # type: ignore[import-untyped]

    return ThreadpoolController()


def step_codes(record: RunRecord, facts: TaskFacts, blobs: Blobs) -> list[str]:
    """The full code of each step in order, and that of the baseline at the end where it is known.

    That is: all editable files, those a step left alone from the baseline. Raises LostCode.
    """
    proposed = {event.step: event.files for event in record.events if isinstance(event, Proposed)}
    taken = [event.step for event in record.events if isinstance(event, Stepped) and event.step > 0]
    files = [{**facts.files, **proposed.get(step, {})} for step in taken]
    try:
        return [_code(each, blobs) for each in [*files, *([facts.files] if facts.files else [])]]
    except AssayError as error:
        raise LostCode(f"run '{record.run_id}': how it explored is not known: {error.message}", error.hint) from None


def _code(files: dict[str, str], blobs: Blobs) -> str:
    return "\n".join(blobs.get(digest) for path, digest in sorted(files.items()) if Path(path).name not in LEFT_OUT)
