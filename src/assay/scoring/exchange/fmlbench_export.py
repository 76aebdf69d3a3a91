"""Writing results so that FML-bench's own scorer can read them."""

import time
from pathlib import Path
from typing import Any

from assay.errors import UsageError
from assay.runs.blobs import Blobs
from assay.runs.events import Proposed, Recorded, Stepped, Tested
from assay.runs.paths import ResultPaths
from assay.runs.record import RunRecord, blobs_of, read_run
from assay.scoring.exchange.fmlbench_layout import AGENTS, EXTRA, Extra, FmlRun, StepExtra, result_file, write_json
from assay.scoring.scores import Scores
from assay.scoring.summary import RunSummary
from assay.tasks.candidate import text_digest


def export_fmlbench(scores: Scores, out: Path) -> list[Path]:
    """Write every finished run; returns their folders. Raises UsageError if `out` already holds something."""
    if out.exists() and any(out.iterdir()):
        raise UsageError(f"{out} is not empty", "give a new folder: old and new runs must not mix")
    blobs = blobs_of(scores.results)
    written = []
    for run in scores.finished:
        record = read_run(ResultPaths(scores.results).run(run.run_id).root)
        agent = AGENTS.get(run.agent, run.agent)
        # their layout has no place for the model, and their scorer takes one run a folder
        folder = f"{agent}__{_safe(run.model)}" if run.agent in scores.several_models else agent
        names = run.facts.fmlbench
        target = FmlRun(out / folder / (names.task if names else _safe(run.task)) / _run_name(record))
        _write(target, agent, run, record, blobs)
        written.append(target.root)
    return written


def _write(target: FmlRun, agent: str, run: RunSummary, record: RunRecord, blobs: Blobs) -> None:
    proposed = {event.step: event for event in record.events if isinstance(event, Proposed)}
    stepped = {event.step: event for event in record.events if isinstance(event, Stepped)}
    tested = {event.who: event.outcome for event in record.events if isinstance(event, Tested)}
    names = run.facts.fmlbench
    dataset, metric = (names.dataset, names.metric) if names else (_safe(run.task), run.facts.metric.name)

    def result(outcome: Recorded | None) -> dict[str, Any] | None:
        return None if outcome is None else _result(outcome, dataset, metric)

    steps = [
        _step(run, proposed.get(number), stepped[number], result(stepped[number].outcome))
        for number in range(1, len(run.steps) + 1)
    ]
    for number in range(1, len(run.steps) + 1):
        files = {**run.facts.files, **(proposed[number].files if number in proposed else {})}
        write_json(target.snapshot(number), {path: blobs.get(digest) for path, digest in files.items()})
    valid = [step["primary_metric"] for step in steps if step["primary_metric"] is not None]
    better = max if run.facts.metric.direction == "max" else min
    best, base = tested.get("best"), tested.get("baseline")
    summary = {
        "benchmark": names.task if names else run.task,
        "agent": agent,
        "model": run.model.partition(":")[2] or run.model,
        "provider": run.model.partition(":")[0],
        "agent_params": {**run.params, "max_steps": run.budget},
        "task_config": {
            "metric": metric,
            "metric_direction": "higher" if run.facts.metric.direction == "max" else "lower",
            "conda_env": "",
            "repo_dir": "",
            "target_files": sorted(run.facts.files),
        },
        "baseline_primary_metric": run.baseline_val,
        "total_steps": len(steps),
        "total_ideas": sum(step["action"] == "draft" for step in steps),
        "total_duration_seconds": run.hours * 3600,
        "best_val_metric": better(valid) if valid else None,
        "test_result": result(best),
        "val_steps": steps,
        "token_usage": {"total_tokens": run.tokens},
        "parent_workspace": target.root.name,
        "save_code_backup": False,
        "metadata": {EXTRA: _extra(record, run, proposed, stepped, base, best).model_dump(mode="json")},
    }
    write_json(target.summary, summary)
    _write_tests(target, dataset, metric, run, best)
    write_json(target.baseline("code"), {path: blobs.get(digest) for path, digest in run.facts.files.items()})


def _write_tests(target: FmlRun, dataset: str, metric: str, run: RunSummary, best: Recorded | None) -> None:
    execution = target.test_execution
    if best is not None and best.kind in ("ok", "constraint"):
        value = best.value if best.kind == "ok" else run.baseline_test
        write_json(execution / "test_info.json", result_file(dataset, metric, value, best.kind == "constraint"))
    elif best is not None:
        stamp = target.root.name[:15]
        error = {"returncode": 1, "stderr": f"{best.kind}: {best.message}"}
        record = {"run_id": "final_test", "phase": "test", "timestamp": stamp, "error": error}
        write_json(execution / "records" / f"bug_test_{stamp}.json", record)
    write_json(target.baseline("val_info"), result_file(dataset, metric, run.baseline_val))
    write_json(target.baseline("test_info"), result_file(dataset, metric, run.baseline_test))


def _result(outcome: Recorded, dataset: str, metric: str) -> dict[str, Any]:
    """One validation or test as their executor reports it."""
    if outcome.kind != "ok":
        error = f"{outcome.kind}: {outcome.message}"
        return {"success": False, "results": None, "primary_metric": None, "error": error}
    results = result_file(dataset, metric, outcome.value)
    return {
        "success": True,
        "results": results,
        "filtered_results": results,
        "primary_metric": outcome.value,
        "error": None,
    }


def _step(run: RunSummary, proposed: Proposed | None, event: Stepped, result: dict[str, Any] | None) -> dict[str, Any]:
    index = event.step - 1
    before = (run.steps.tokens[index - 1], run.steps.hours[index - 1]) if index else (0, 0.0)
    kind = proposed.request.kind if proposed else "improve"
    return {
        "step_id": event.step,
        "idea_id": f"step_{event.step}",
        "idea_description": proposed.description if proposed else "",
        "action": kind if kind in ("draft", "improve", "debug") else "improve",
        "edit_success": proposed is not None and proposed.failure is None,
        "val_result": result,
        "primary_metric": event.outcome.value,
        "token_usage": {"total_tokens": int(run.steps.tokens[index] - before[0])},
        "step_duration_seconds": float(run.steps.hours[index] - before[1]) * 3600,
        "metadata": {"code_snapshot_path": f"step_snapshots/step_{event.step:04d}_code.json"},
    }


def _extra(
    record: RunRecord,
    run: RunSummary,
    proposed: dict[int, Proposed],
    stepped: dict[int, Stepped],
    base: Recorded | None,
    best: Recorded | None,
) -> Extra:
    return Extra(
        spec=record.header.spec,
        facts=run.facts,
        reason=run.reason,
        best=run.best_step,
        calls=run.calls,
        usd=run.usd,
        baseline=_without_log(stepped[0].outcome),
        baseline_test=_without_log(base) if base else None,
        test=_without_log(best) if best else None,
        steps=tuple(_step_extra(run, proposed.get(n), stepped[n]) for n in sorted(stepped) if n),
    )


def _step_extra(run: RunSummary, proposed: Proposed | None, event: Stepped) -> StepExtra:
    index = event.step - 1
    usd = float(run.steps.usd[index] - (run.steps.usd[index - 1] if index else 0.0))
    return StepExtra(
        outcome=_without_log(event.outcome),
        request=proposed.request.kind if proposed else "improve",
        parent=int(run.steps.parent[index]),
        usd=None if usd != usd else usd,
    )


def _without_log(outcome: Recorded) -> Recorded:
    """Logs are blobs of ours and stay behind."""
    return outcome.model_copy(update={"log": ""})


def _run_name(record: RunRecord) -> str:
    """As theirs: when it began, and eight hex digits that tell runs of the same second apart."""
    began = record.events[0].clock.at - record.events[0].clock.seconds
    return time.strftime("%Y%m%d_%H%M%S", time.gmtime(began)) + "_" + text_digest(record.run_id)[:8]


def _safe(name: str) -> str:
    return "".join(c if c.isalnum() or c in "._-" else "-" for c in name)
