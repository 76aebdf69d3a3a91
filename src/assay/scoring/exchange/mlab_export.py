"""Writing results as MLAgentBench leaves them: a trace and snapshots of each run, and evaluation files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from assay.errors import AssayError, UsageError
from assay.runs.events import Acted, Proposed, Tested
from assay.runs.paths import ResultPaths
from assay.runs.record import RunRecord, blobs_of, read_run
from assay.scoring.conduct.trace import Trace, read_trace
from assay.scoring.exchange.fmlbench_layout import write_json
from assay.scoring.exchange.mlab_layout import Evaluation, MlabRun, Signs, Snapshots
from assay.scoring.mlab.legacy import label_of
from assay.scoring.mlab.success import submitted
from assay.scoring.scores import Scores
from assay.scoring.summary import RunSummary
from assay.tasks.candidate import text_digest
from assay.tasks.suites import find_task

TOO_LONG = "too long input for the tool"
CUDA_MEMORY = "CUDA out of memory"


def export_mlab(scores: Scores, out: Path) -> list[Path]:
    """Write every finished run; returns their folders. Raises UsageError if `out` already holds something."""
    if out.exists() and any(out.iterdir()):
        raise UsageError(f"{out} is not empty", "give a new folder: old and new runs must not mix")
    blobs = blobs_of(scores.results)
    evaluations: dict[str, dict[str, Any]] = {}
    written = []
    for run in scores.finished:
        record = read_run(ResultPaths(scores.results).run(run.run_id).root)
        trace = read_trace(record, run.facts, blobs)
        agent = f"{run.agent}__{_safe(run.model)}" if run.agent in scores.several_models else run.agent
        task = _task_name(run.task)
        target = MlabRun(out / agent / task / f"seed_{run.seed}")
        if target.root.exists():  # of a task of the same name elsewhere
            target = MlabRun(target.root.with_name(f"{target.root.name}_{text_digest(run.run_id)[:8]}"))
        log = _main_log(run, trace)
        _write_files(target, run, record, trace, Snapshots(blobs))
        write_json(target.trace, _trace(run, trace))
        target.main_log.parent.mkdir(parents=True)
        target.main_log.write_text(log, "utf-8", "replace")
        target.overall_time.write_text(f"{run.hours * 3600}\n")
        if error := _error(run, record):
            target.error.write_text(error, "utf-8", "replace")
        path = target.trace.relative_to(out).as_posix()
        evaluation = _evaluation(path, run, trace, log, error)
        evaluations.setdefault(f"{agent}_{task}", {})[path] = evaluation.model_dump(mode="json")
        written.append(target.root)
    for name, runs in evaluations.items():
        write_json(out / f"{name}.json", runs)
    return written


def _trace(run: RunSummary, trace: Trace | None) -> dict[str, Any]:
    """`trace.json`."""
    steps, primitives = [], []
    for place, turn in _reached(trace):
        assert trace is not None
        steps.append(_step(turn.action, trace.arguments(turn.arguments), _observation(trace, place), turn))
        for primitive in turn.primitives:
            observation = trace.blobs.get(primitive.observation)
            primitives.append(_step(primitive.action, trace.arguments(primitive.arguments), observation, turn))
    return {
        "steps": steps,
        "low_level_steps": primitives,
        "action_infos": _action_infos(),
        "task_description": _description(run),
    }


def _step(action: str, arguments: Any, observation: str, turn: Acted) -> dict[str, Any]:
    return {
        "action": {"name": action, "args": arguments},
        "observation": observation,
        "timestamp": turn.clock.at,
    }


def _reached(trace: Trace | None) -> Iterator[tuple[int, Acted]]:
    """Turns that reached the environment, which are its steps, with their places among all."""
    for place, turn in enumerate(trace.turns if trace else ()):
        if turn.kind not in ("format", "closed"):
            yield place, turn


def _observation(trace: Trace, place: int) -> str:
    """What the environment answered; of a validation, which the journal has apart, the outcome in a line."""
    text = trace.blobs.get(trace.turns[place].observation)
    outcome = trace.validated.get(place) if not text else None
    if outcome is None:
        return text
    if outcome.value is None:
        return f"Validation failed: {outcome.kind}: {outcome.message}"
    return f"Validation: {trace.facts.metric.name} {outcome.value:.6g}"


def _action_infos() -> dict[str, Any]:
    from assay.environments.actions.catalogue import CATALOGUE

    return {
        name: {
            "name": name,
            "description": info.description,
            "usage": dict(info.usage),
            "return_value": info.return_value,
            "function": name.lower().replace(" ", "_"),
            "is_primitive": info.is_primitive,
        }
        for name, info in CATALOGUE.items()
    }


def _description(run: RunSummary) -> str:
    """The task's statement, if the task is at hand."""
    try:
        return find_task(run.task).prompt
    except (AssayError, OSError):
        return run.facts.title


def _write_files(
    target: MlabRun, run: RunSummary, record: RunRecord, trace: Trace | None, snapshots: Snapshots
) -> None:
    files = dict(run.facts.files)
    if trace is None:
        proposed = {event.step: event.files for event in record.events if isinstance(event, Proposed)}
        files |= proposed.get(run.best_step, {})
    places = {place: number for number, (place, _) in enumerate(_reached(trace))}
    for place, turn in enumerate(trace.turns if trace else ()):
        files |= turn.changes
        files = {path: digest for path, digest in files.items() if digest}
        if place in places:
            snapshots.write(target.snapshot(places[place]), files)
    snapshots.write(target.snapshot("final"), files)


def _main_log(run: RunSummary, trace: Trace | None) -> str:
    """The transcript: what the agent was told, then every turn with what it said and what it saw."""
    if trace is None:
        return "The agent took no turns: it proposed code, and the harness measured it.\n"
    tools = ", ".join(dict.fromkeys(turn.action for turn in trace.turns if turn.action))
    parts = [f"Tools used: {tools}", "=" * 20 + " Start " + "=" * 20]
    parts += [trace.blobs.get(trace.prompt)] if trace.prompt else [_description(run)]
    for number, turn in enumerate(trace.turns):
        said = trace.blobs.get(turn.said) if turn.said else f"Action: {turn.action}"
        seen = trace.blobs.get(turn.shown) if turn.shown else _observation(trace, number)
        parts.append(f"Step {number}:\nAssistant:\n{said}\nObservation:\n```\n{seen}\n```")
    return "\n\n".join(parts) + "\n"


def _error(run: RunSummary, record: RunRecord) -> str:
    """Why the run failed, if that is not its agent's doing: their figures leave such runs out."""
    tested = next((e.outcome for e in record.events if isinstance(e, Tested) and e.who == "best"), None)
    if tested is not None and tested.blame not in (None, "agent"):
        return f"{tested.kind}, through {tested.blame}: {tested.message}\n"
    if run.conduct is not None and "infrastructure" in run.conduct.flags:
        return f"the run was ended from outside: {run.reason}\n"
    return ""


def _evaluation(path: str, run: RunSummary, trace: Trace | None, log: str, error: str) -> Evaluation:
    if trace is None:
        values = [0.0 if value != value else value for value in run.steps.value.tolist()]
        steps = tuple(range(len(values)))
    else:
        reached = {place: number for number, (place, turn) in enumerate(_reached(trace)) if turn.ends is None}
        measured = {reached[place]: outcome for place, outcome in trace.validated.items() if place in reached}
        values = [outcome.value or 0.0 for outcome in measured.values()]
        steps = tuple(measured)
    final = run.test_value
    failed = trace is not None and not trace.own_end and [turn.kind for turn in trace.counted[-1:]] == ["model"]
    return Evaluation(
        path=path,
        submitted_final_answer=submitted(run) or False,
        score=tuple([*values, final] if final is not None else values),
        score_steps=steps,
        final_score=-1.0 if final is None else final,
        total_time=run.hours * 3600,
        error=error,
        extra=Signs(
            oom_error=CUDA_MEMORY in log,
            connection_error=failed,
            error=bool(error),
            json_error=run.conduct is not None and run.conduct.malformed > 2,
            long_prompt_error=TOO_LONG in log or run.reason == "context",
        ),
    )


def _task_name(task: str) -> str:
    """The folder's name for their own tasks; for others what tells them apart."""
    parts = [part for part in task.split("/") if part]
    return parts[-1] if label_of(task) else _safe("-".join(parts[-2:]))


def _safe(name: str) -> str:
    return "".join(c if c.isalnum() or c in "._-" else "-" for c in name)
