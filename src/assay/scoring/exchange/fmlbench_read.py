"""One run of FML-bench in our words: read from what its runner wrote, or from what our own export added to that."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast, get_args

from pydantic import ValidationError

from assay.models.usage import Usage
from assay.runs.events import Reason, Recorded
from assay.runs.spec import Caps, RunSpec
from assay.scoring.exchange.fmlbench_layout import AGENTS, EXTRA, Extra, FmlRun, metric_of, read_json, violated
from assay.scoring.exchange.fmlbench_tasks import PUBLISHED, Published
from assay.strategies.request import RequestKind
from assay.tasks.facts import TaskFacts
from assay.tasks.outcome import Kind
from assay.tasks.spec import FmlBench, Metric

OURS = {theirs: ours for ours, theirs in AGENTS.items()}


class NotImportable(Exception):
    """A folder that cannot become a journal; the message says why."""


@dataclass(frozen=True)
class ReadStep:
    """One step of theirs."""

    outcome: Recorded
    request: RequestKind
    parent: int
    description: str
    prompt: str
    files: dict[str, str]
    usage: Usage
    seconds: float


@dataclass(frozen=True)
class ReadRun:
    """One run of theirs."""

    spec: RunSpec
    facts: TaskFacts
    baseline_files: dict[str, str]
    """Empty if the baseline's code is not known."""
    baseline: Recorded
    baseline_test: Recorded | None
    steps: Sequence[ReadStep]
    best: int
    test: Recorded | None
    test_step: int
    outside: Usage
    """What was spent outside the steps, like the next."""
    outside_seconds: float
    reason: Reason


def read_fmlbench(folder: FmlRun, seeds: Counter[tuple[str, ...]], checkout: Path | None) -> ReadRun:
    """Raises NotImportable. `seeds` numbers the repetitions of one agent, model and task in the order they are read."""
    summary = read_json(folder.summary)
    if not isinstance(summary, dict) or not isinstance(summary.get("val_steps"), list):
        raise NotImportable("summary.json is no JSON or has no val_steps")
    extra = _at(summary, "metadata", EXTRA)
    if extra is None:
        return _theirs(folder, summary, seeds, checkout)
    try:
        return _ours(folder, summary, Extra.model_validate(extra))
    except ValidationError as error:
        raise NotImportable(f"metadata.{EXTRA} of summary.json: {error.errors()[0]['msg']}") from None
    except (AttributeError, ValueError):
        raise NotImportable(f"val_steps and metadata.{EXTRA} of summary.json do not agree") from None


def _ours(folder: FmlRun, summary: dict[str, Any], extra: Extra) -> ReadRun:
    baseline_files = _texts(folder.baseline("code"))
    steps = []
    for index, (raw, known) in enumerate(zip(summary["val_steps"], extra.steps, strict=True), start=1):
        tokens = _whole(_at(raw, "token_usage", "total_tokens"))
        steps.append(
            ReadStep(
                outcome=known.outcome,
                request=known.request,
                parent=known.parent,
                description=str(raw.get("idea_description") or ""),
                prompt="",
                files=_texts(folder.snapshot(index)) or baseline_files,
                usage=Usage(calls=int(tokens > 0), input_tokens=tokens, usd=known.usd),
                seconds=_number(raw.get("step_duration_seconds")),
            )
        )
    usd = None if extra.usd is None else extra.usd - math.fsum(step.usage.usd or 0.0 for step in steps)
    outside, seconds = _outside(summary, steps, usd)
    return ReadRun(
        spec=extra.spec,
        facts=extra.facts,
        baseline_files=baseline_files,
        baseline=extra.baseline,
        baseline_test=extra.baseline_test,
        steps=steps,
        best=extra.best,
        test=extra.test,
        test_step=extra.best if extra.baseline_test is not None and extra.baseline_test.kind == "ok" else 0,
        outside=outside,
        outside_seconds=seconds,
        reason=extra.reason,
    )


def _theirs(folder: FmlRun, summary: dict[str, Any], seeds: Counter[tuple[str, ...]], checkout: Path | None) -> ReadRun:
    task = str(summary.get("benchmark") or folder.root.parent.name)
    published = PUBLISHED.get(task)
    if published is None:
        raise NotImportable(f"task '{task}' is none of FML-bench's, so its scale is not known")
    facts = TaskFacts(
        title=task,
        area=task.split("_")[0],
        metric=published.metric,
        fmlbench=FmlBench(task=task, dataset=published.dataset, metric=published.metric.name),
        files={},
    )
    baseline_files = _baseline_code(summary, task, checkout) if checkout else {}
    prefix = str(_at(summary, "task_config", "repo_dir") or "")
    steps = [
        _their_step(folder, index, raw if isinstance(raw, dict) else {}, baseline_files, prefix)
        for index, raw in enumerate(summary["val_steps"], start=1)
    ]
    best = _best(steps, published.metric)
    outside, seconds = _outside(summary, steps, None if any(step.usage.calls for step in steps) else 0.0)
    validation = _finite(summary.get("baseline_primary_metric"))
    test = _baseline_on_test(published, task, checkout)
    spec = _spec(folder, summary, task, seeds)
    return ReadRun(
        spec=spec,
        facts=facts,
        baseline_files=baseline_files,
        baseline=_ok(published.val if validation is None else validation, published.metric),
        baseline_test=_ok(test, published.metric),
        steps=steps,
        best=best,
        test=_final_test(folder, summary, published),
        test_step=best,
        outside=outside,
        outside_seconds=seconds,
        reason="steps" if spec.caps.steps is not None and len(steps) >= spec.caps.steps else "strategy",
    )


def _spec(folder: FmlRun, summary: dict[str, Any], task: str, seeds: Counter[tuple[str, ...]]) -> RunSpec:
    name = str(summary.get("agent") or folder.root.parent.parent.name)
    model = ":".join(str(summary[key]) for key in ("provider", "model") if summary.get(key)) or "unknown"
    params = summary.get("agent_params")
    params = params if isinstance(params, dict) else {}
    budget = params.get("max_steps", params.get("max_iter"))
    key = (name, model, task)
    seeds[key] += 1
    return RunSpec(
        agent=OURS.get(name, name),
        params=params,
        model=model,
        task=task,
        seed=seeds[key] - 1,
        caps=Caps(steps=budget if isinstance(budget, int) and budget >= 0 else None),
    )


def _their_step(folder: FmlRun, index: int, raw: dict[str, Any], baseline: dict[str, str], prefix: str) -> ReadStep:
    usage = raw.get("token_usage")
    usage = usage if isinstance(usage, dict) else {}
    total = _whole(usage.get("total_tokens"))
    output = min(_whole(usage.get("completion_tokens")), total)
    action = raw.get("action")
    snapshot = {_below(path, prefix): text for path, text in _texts(folder.snapshot(index)).items()}
    return ReadStep(
        outcome=_their_outcome(raw.get("val_result"), raw.get("primary_metric")),
        request=cast(RequestKind, action) if action in get_args(RequestKind) else "improve",
        parent=0,
        description=str(raw.get("idea_description") or ""),
        prompt=str(_at(raw, "metadata", "instruction") or ""),
        files={**baseline, **snapshot},
        usage=Usage(calls=int(total > 0), input_tokens=total - output, output_tokens=output, usd=None),
        seconds=_number(raw.get("step_duration_seconds")),
    )


def _their_outcome(result: Any, value: Any) -> Recorded:
    """Their result in our kinds. A success without a number is no success: nothing could be selected by it."""
    result = result if isinstance(result, dict) else {}
    number = _finite(value if value is not None else result.get("primary_metric"))
    if violated(result.get("results")):
        return _failed("constraint", "a constraint of the task is violated")
    if result.get("success") and number is not None:
        return Recorded(kind="ok", value=number)
    if result.get("success"):
        return _failed("invalid_output", "the result holds no finite metric")
    error = str(result.get("error") or "")
    return _failed("timeout" if "Timeout after" in error else "crashed", error[-1500:])


def _final_test(folder: FmlRun, summary: dict[str, Any], published: Published) -> Recorded | None:
    """From the result file, as their scorer does; from the summary where an agent put that file elsewhere."""
    reported = summary.get("test_result")
    info = folder.find_test_info()
    results = read_json(info) if info else _at(reported, "results")
    if violated(results):
        return _failed("constraint", "a constraint of the task is violated")
    value = metric_of(results, published.metric.name, published.dataset)
    if value is not None:
        return _ok(value, published.metric)
    if reported is None and info is None:
        return None
    return _failed("crashed", str(_at(reported, "error") or "the final test left no metric")[-1500:])


def _best(steps: Sequence[ReadStep], metric: Metric) -> int:
    """The first valid step, then only what is strictly better; 0 if none is valid. The baseline does not compete."""
    best, found = None, 0
    for index, step in enumerate(steps, start=1):
        value = step.outcome.value
        if value is not None and (best is None or metric.better(value, best)):
            best, found = value, index
    return found


def _outside(summary: dict[str, Any], steps: Sequence[ReadStep], usd: float | None) -> tuple[Usage, float]:
    """What the run spent beyond its steps: ideas, summaries, the final test."""
    tokens = _whole(_at(summary, "token_usage", "total_tokens")) - sum(step.usage.tokens for step in steps)
    seconds = _number(summary.get("total_duration_seconds")) - math.fsum(step.seconds for step in steps)
    spent = tokens > 0 or (usd is not None and usd > 1e-12)
    return Usage(calls=int(spent), input_tokens=max(tokens, 0), usd=usd if spent else 0.0), max(seconds, 0.0)


def _baseline_on_test(published: Published, task: str, checkout: Path | None) -> float:
    if checkout is not None:
        results = read_json(checkout / "ml_tasks" / task / "baseline_results" / "test_info.json")
        value = metric_of(results, published.metric.name, published.dataset)
        if value is not None:
            return value
    return published.test


def _baseline_code(summary: dict[str, Any], task: str, checkout: Path) -> dict[str, str]:
    """The editable files of the workspace that runs are copied from."""
    config = summary.get("task_config")
    config = config if isinstance(config, dict) else {}
    repository = Path(str(config.get("repo_dir") or ""))
    template = checkout / "workspace" / task / Path(*repository.parts[2:])
    found = {}
    for name in config.get("target_files") or ():
        path = _below(str(name), str(repository))
        try:
            found[path] = (template / path).read_text()
        except (OSError, UnicodeDecodeError) as error:
            raise NotImportable(f"the baseline's {path} cannot be read from the checkout: {error}") from None
    return found


def _below(path: str, prefix: str) -> str:
    """A path relative to the repository, whose copy has another name in every run."""
    return path[len(prefix) :].lstrip("/") if prefix and path.startswith(prefix) else path


def _texts(path: Path) -> dict[str, str]:
    found = read_json(path)
    return {str(key): str(text) for key, text in found.items()} if isinstance(found, dict) else {}


def _at(value: Any, *keys: str) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def _ok(value: float, metric: Metric) -> Recorded:
    return Recorded(kind="ok", value=value, metrics={metric.name: value})


def _failed(kind: Kind, message: str) -> Recorded:
    return Recorded(kind=kind, blame="agent", message=message)


def _finite(value: Any) -> float | None:
    number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    return number if math.isfinite(number) else None


def _number(value: Any) -> float:
    return max(_finite(value) or 0.0, 0.0)


def _whole(value: Any) -> int:
    return int(_number(value))
