"""The files of one FML-bench run, as its own scorer reads them, and the small words both sides must agree on."""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.base import Frozen
from assay.runs.events import Reason, Recorded
from assay.runs.spec import RunSpec
from assay.strategies.request import RequestKind
from assay.tasks.facts import TaskFacts

AGENTS = {"ai_scientist": "theaiscientist", "adaptive_search": "adaptivesearch"}
"""Agents that have another name there; all others have the same."""
EXTRA = "assay"
"""Key below `metadata` in summary.json where we keep what FML-bench has no place for."""


@dataclass(frozen=True)
class FmlRun:
    """<agent>/<task>/<run>/
    summary.json                                   the run and all its steps
    step_snapshots/step_0001_code.json             path → text, one file a step
    <…>final_test/run_final_test/execution_<…>/
        test_info.json                             the one result on test
        records/bug_test_<…>.json                  in its place if the test failed
    baseline_results/{val,test}_info.json          ours: the baseline as this run measured it
    baseline_results/code.json                     ours: the baseline's code"""

    root: Path

    @property
    def summary(self) -> Path:
        return self.root / "summary.json"

    def snapshot(self, step: int) -> Path:
        return self.root / "step_snapshots" / f"step_{step:04d}_code.json"

    def baseline(self, name: str) -> Path:
        return self.root / "baseline_results" / f"{name}.json"

    @property
    def test_execution(self) -> Path:
        return self.root / f"{self.root.name}_final_test" / "run_final_test" / f"execution_{self.root.name[:15]}"

    def find_test_info(self) -> Path | None:
        """The newest result of the final test, whatever the agent called its folder."""
        found = sorted(self.root.glob("*final_test/run_final_test/execution_*/test_info.json"))
        return found[-1] if found else None


class StepExtra(Frozen):
    """What we know of a step and FML-bench does not."""

    outcome: Recorded
    request: RequestKind
    parent: int
    usd: float | None


class Extra(Frozen):
    """What we know of a run and FML-bench does not: enough to read our own export back without loss of any figure."""

    spec: RunSpec
    facts: TaskFacts
    reason: Reason
    best: int
    calls: int
    usd: float | None
    baseline: Recorded
    baseline_test: Recorded | None
    test: Recorded | None
    steps: tuple[StepExtra, ...]


def read_json(path: Path) -> Any:
    """None if it is not there or no JSON. The bare words NaN and Infinity, which FML-bench writes, are read."""
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None


def write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))


def result_file(dataset: str, metric: str, value: float | None, violated: bool = False) -> dict[str, Any]:
    """The unified result format: metrics by dataset, with and without their suffix."""
    bare = metric.removesuffix("_mean")
    means: dict[str, Any] = {} if value is None else {metric: value}
    final: dict[str, Any] = {} if value is None else {bare: value}
    if violated:
        means["constraint_violated"] = final["constraint_violated"] = True
    stderrs = {f"{bare}_stderr": 0.0}
    return {dataset: {"means": means, "stderrs": stderrs, "final_info_dict": final}}


def metric_of(results: Any, metric: str, dataset: str | None) -> float | None:
    """The canonical value: mean of `means[metric]` over the data sets that count; a flat file is accepted too."""
    if not isinstance(results, dict):
        return None
    blocks = {key: block["means"] for key, block in results.items() if isinstance(block, dict) and "means" in block}
    if dataset in blocks:
        blocks = {dataset: blocks[dataset]}
    values = [block[metric] for block in blocks.values() if isinstance(block, dict) and block.get(metric) is not None]
    if not values and results.get(metric) is not None:
        values = [results[metric]]
    try:
        mean = math.fsum(float(value) for value in values) / len(values)
    except (TypeError, ValueError, ZeroDivisionError, OverflowError):
        return None
    return mean if math.isfinite(mean) else None


def violated(results: Any) -> bool:
    if not isinstance(results, dict):
        return False
    blocks = [block.get("means") for block in results.values() if isinstance(block, dict)]
    return any(isinstance(means, dict) and bool(means.get("constraint_violated")) for means in blocks)
