"""Results of FML-bench as journals of ours, so that old runs can be scored and shown here."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from assay.errors import UsageError
from assay.runs.blobs import Blobs
from assay.runs.events import Called, Clock, Event, Finished, Proposed, Searched, Stepped, Tested
from assay.runs.paths import ResultPaths
from assay.runs.record import Header, blobs_of
from assay.sandbox.job import Isolation
from assay.scoring.exchange.fmlbench_layout import FmlRun
from assay.scoring.exchange.fmlbench_read import NotImportable, ReadRun, read_fmlbench
from assay.strategies.request import Request
from assay.tasks.candidate import Candidate, text_digest

NOT_RECORDED = "(not recorded by FML-bench)"
UNKNOWN_ISOLATION = Isolation(level="none", missing=("imported results do not say how they were isolated",))


@dataclass(frozen=True)
class Imported:
    """What came of an import."""

    runs: list[str] = field(default_factory=list)
    skipped: dict[str, str] = field(default_factory=dict)
    """Folder → why it was left out."""


def import_fmlbench(source: Path, results: Path, checkout: Path | None = None) -> Imported:
    """Turn every `<agent>/<task>/<run>/summary.json` below `source` into a run of `results`.

    `checkout` is a working copy of FML-bench with its workspaces set up: the baseline's code and results are then read
    from there. Without it the published baselines count, and Reach, which needs the code, stays undefined.
    Raises UsageError if there is nothing to import.
    """
    folders = sorted(path.parent for path in source.glob("*/*/*/summary.json"))
    if not folders:
        raise UsageError(f"{source} holds no <agent>/<task>/<run>/summary.json", "give the benchmark_results folder")
    blobs = blobs_of(results)
    seeds: Counter[tuple[str, ...]] = Counter()
    done = Imported()
    for folder in folders:
        try:
            run = read_fmlbench(FmlRun(folder), seeds, checkout)
            target = ResultPaths(results).run(run.spec.run_id)
            if target.root.exists():
                raise NotImportable(f"run '{run.spec.run_id}' is already in {results}")
        except NotImportable as error:
            done.skipped[str(folder)] = str(error)
            continue
        lines = [event.model_dump_json() + "\n" for event in _events(run, blobs)]
        target.root.mkdir(parents=True)
        target.events.write_text("".join(lines))
        target.header.write_text(_header(run, blobs).model_dump_json(indent=2) + "\n")
        done.runs.append(run.spec.run_id)
    return done


def _header(run: ReadRun, blobs: Blobs) -> Header:
    files = {path: blobs.put(text) for path, text in run.baseline_files.items()}
    return Header(
        spec=run.spec,
        task_digest=text_digest(run.facts.model_dump_json()),
        task=run.facts.model_copy(update={"files": files}),
        isolation=UNKNOWN_ISOLATION,
        versions={"imported": "fmlbench"},
        machine={},
    )


def _events(run: ReadRun, blobs: Blobs) -> Iterator[Event]:
    """When things happened is not known, so the clock starts at 0; how long they took is."""
    now = 0.0
    unknown = blobs.put(NOT_RECORDED)
    candidate = Candidate(files=run.baseline_files).digest
    yield Stepped(clock=Clock(at=now), step=0, candidate=candidate, outcome=run.baseline)
    for index, step in enumerate(run.steps, start=1):
        now += step.seconds
        if step.usage.calls:
            key = text_digest(f"{run.spec.run_id}/{index}")
            prompt = blobs.put(step.prompt) if step.prompt else unknown
            yield Called(clock=Clock(at=now), key=key, prompt=prompt, answer=unknown, usage=step.usage)
        candidate = Candidate(files=step.files).digest
        yield Proposed(
            clock=Clock(at=now),
            step=index,
            request=Request(kind=step.request, parents=(step.parent,)),
            files={path: blobs.put(text) for path, text in step.files.items()},
            candidate=candidate,
            description=step.description,
            usage=step.usage,
        )
        clock = Clock(at=now, seconds=step.seconds)
        yield Stepped(clock=clock, step=index, candidate=candidate, outcome=step.outcome)
    if run.outside.calls:
        key = text_digest(f"{run.spec.run_id}/outside")
        yield Called(clock=Clock(at=now), key=key, prompt=unknown, answer=unknown, usage=run.outside)
    yield Searched(clock=Clock(at=now), reason=run.reason, best=run.best)
    if run.baseline_test is not None:
        yield Tested(clock=Clock(at=now), who="baseline", step=0, outcome=run.baseline_test)
    now += run.outside_seconds
    if run.test is not None:
        yield Tested(clock=Clock(at=now), who="best", step=run.test_step, outcome=run.test)
    yield Finished(clock=Clock(at=now, seconds=run.outside_seconds), reason=run.reason, best=run.best)
