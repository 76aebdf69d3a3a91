"""What fml-mini costs and what there is to find: one baseline and the known-good solutions of every task.

Claims: a baseline takes at most 6 CPU seconds and 600 MB, all of them on val and test together at most 40 CPU seconds;
the best known-good solution goes at least half of the way from the baseline to `best` on at least 14 of 18 tasks, on
test.
"""

import sys
import time

from assay.evaluation.evaluate import Evaluator
from assay.sandbox.client import Sandbox
from assay.tasks.load import Task
from assay.tasks.outcome import Outcome, Split
from assay.tasks.suites import select_tasks

SECONDS, ALL_SECONDS, MEGABYTES, HALF_WAY = 6.0, 40.0, 600.0, 14


def main() -> None:
    tasks = select_tasks("fml-mini")
    total, slowest, largest, half_way = 0.0, 0.0, 0.0, 0
    with Sandbox(tasks[0].spec.preload) as sandbox:
        for task in tasks:
            evaluator = Evaluator(task, sandbox, seed=0)
            (val, val_seconds), (test, test_seconds) = (_baseline(evaluator, split) for split in ("val", "test"))
            total += val_seconds + test_seconds
            slowest = max(slowest, val_seconds, test_seconds)
            largest = max(largest, val.clock.peak_mb, test.clock.peak_mb)
            reached = _best_improvement(task, evaluator, test)
            half_way += reached >= 0.5
            print(
                f"{task.id:45} {val_seconds:5.2f} + {test_seconds:5.2f} CPU s {val.clock.peak_mb:5.0f} MB"
                f"   best solution on test: {reached:4.0%} of the way",
                flush=True,
            )
    print(f"slowest baseline {slowest:.2f} CPU s (at most {SECONDS:g}), all {total:.1f} (at most {ALL_SECONDS:g})")
    print(f"largest {largest:.0f} MB (at most {MEGABYTES:g}); half of the way on {half_way} of {len(tasks)}")
    if slowest > SECONDS or total > ALL_SECONDS or largest > MEGABYTES or half_way < HALF_WAY:
        sys.exit("fml-mini costs more, or has less to find, than it claims")


def _baseline(evaluator: Evaluator, split: Split) -> tuple[Outcome, float]:
    """The outcome and the CPU seconds of sandbox and grader together."""
    start = time.process_time()
    outcome = evaluator.baseline(split)
    return outcome, outcome.clock.cpu_seconds + time.process_time() - start


def _best_improvement(task: Task, evaluator: Evaluator, baseline: Outcome) -> float:
    assert baseline.value is not None, baseline.message
    ends = [evaluator.evaluate(solution, "test") for solution in task.solutions.values()]
    values = [end.value for end in ends if end.value is not None]
    return max((task.spec.metric.improvement(value, baseline.value) for value in values), default=0.0)


if __name__ == "__main__":
    main()
