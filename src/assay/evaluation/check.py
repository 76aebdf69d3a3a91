"""`assay task check`: is a task sound? Everything is tried with the task's own candidates in the real sandbox."""

from dataclasses import replace
from functools import cached_property

from assay.evaluation import probes
from assay.evaluation.border import alike_row, no_labels_row, odd_outputs_row, secrets_row
from assay.evaluation.evaluate import Evaluator
from assay.evaluation.noise import beats
from assay.evaluation.recording import Call, Recorder, Replay
from assay.evaluation.rows import CheckReport, CheckRow, row
from assay.evaluation.statement import PROBES, folder_row, statement_row
from assay.sandbox.client import Sandbox
from assay.tasks.candidate import Candidate
from assay.tasks.load import Task
from assay.tasks.outcome import Outcome, Split
from assay.tasks.payload import encode

SPARE = 0.5
"""The share of its limits that a baseline may use: better methods need room."""


def check_task(task: Task, sandbox: Sandbox, quick: bool = False) -> CheckReport:
    """Look at everything that makes a task sound, with seed 0. Raises AssayError if its grader cannot be loaded.

    `quick` leaves out what takes longest: probes on val, solutions, the repeated evaluation, odd outputs and hostile
    candidates.
    """
    rows = [folder_row(task), statement_row(task)]
    check = _Check(task, sandbox)
    rows += [check.baseline_row("val"), check.baseline_row("test")]
    if check.runs:
        rows += check.border_rows()
        rows += [check.limits_row(), check.probes_row("test")]
        if not quick:
            rows += [check.probes_row("val"), check.deterministic_row(), *check.solution_rows()]
            rows += [check.odd_outputs_row(), *check.hostile_rows()]
    return CheckReport(task=task.id, rows=tuple(rows))


class _Check:
    """One task under examination: its baseline as measured here, and the calls that were recorded with it."""

    def __init__(self, task: Task, sandbox: Sandbox) -> None:
        self._task = task
        self._sandbox = sandbox
        self._evaluator = Evaluator(task, sandbox, seed=0)
        self.outcomes: dict[Split, Outcome] = {}
        self._calls: dict[Split, list[Call]] = {}

    @property
    def runs(self) -> bool:
        """The baseline could be measured: without that nothing else can."""
        return all(end.ok and not self._unreported(end) for end in self.outcomes.values())

    def baseline_row(self, split: Split) -> CheckRow:
        outcome = self.outcomes[split] = self._recorded(split)
        frozen = self._task.spec.baseline
        stored = frozen.val if split == "val" else frozen.test
        if outcome.value is None:
            return row(f"baseline on {split}", [f"{outcome.kind}: {outcome.message}; {outcome.log_tail[-200:]}"])
        if self._unreported(outcome):
            return row(
                f"baseline on {split}", [f"the grader reports no '{name}'" for name in self._unreported(outcome)]
            )
        measured, expected = (self._task.spec.metric.scale(value) for value in (outcome.value, stored))
        off = abs(measured - expected) / max(1.0, abs(expected))
        problem = (
            f"measured {outcome.value!r}, task.toml says {stored!r}: off by {off:.3g}, allowed {frozen.tolerance:g}"
        )
        return row(
            f"baseline on {split}", [problem] if off > frozen.tolerance else [], f"{outcome.value:.4g} reproduces"
        )

    def border_rows(self) -> list[CheckRow]:
        val, test = self._calls["val"], self._calls["test"]
        return [
            alike_row(self._task, val, test),
            secrets_row(self._task, [*val, *test]),
            no_labels_row(self._task, self._replay),
        ]

    def limits_row(self) -> CheckRow:
        limits = self._task.spec.limits
        clocks = [outcome.clock for outcome in self.outcomes.values()]
        seconds, peak = max(c.cpu_seconds for c in clocks), max(c.peak_mb for c in clocks)
        problems = []
        if seconds > SPARE * limits.seconds:
            problems.append(f"the baseline takes {seconds:.1f} CPU seconds of {limits.seconds:g}: raise limits.seconds")
        if peak > limits.memory_mb:
            problems.append(f"the baseline takes {peak:.0f} MB of {limits.memory_mb}: raise limits.memory_mb")
        used = f"baseline uses {seconds:.2f} CPU s of {limits.seconds:g} s, {peak:.0f} MB of {limits.memory_mb} MB"
        return row("time and memory", problems, used)

    def probes_row(self, split: Split) -> CheckRow:
        """Constant, random and label-shuffled candidates gain nothing, nor does any other probe of the task."""
        ends = {name: self._evaluator.evaluate(probe, split) for name, probe in self._task.probes.items()}
        problems = [f"'{name}' scores {end.value:.4g}" for name, end in ends.items() if self._gains(end, split)]
        # one of the three that does not get as far as an answer shows nothing about the metric; others may be refused
        answered = ("ok", "constraint", "tampering")
        fine = {name: answered if name in PROBES else (*answered, "invalid_output") for name in ends}
        broken = {name: end for name, end in ends.items() if end.kind not in fine[name]}
        problems += [f"'{name}' {end.kind}: {end.message}" for name, end in broken.items()]
        shown = ", ".join(f"{name} {_short(end)}" for name, end in ends.items())
        return row(
            f"empty candidates gain nothing on {split}", problems, f"{shown}; baseline {self._baseline(split):.4g}"
        )

    def solution_rows(self) -> list[CheckRow]:
        """Each known-good candidate beats the baseline on test by more than the noise."""
        rows = []
        for name, solution in self._task.solutions.items():
            end = self._evaluator.evaluate(solution, "test")
            baseline = self._baseline("test")
            problem = f"{_short(end)} does not beat {baseline:.4g} by more than three times the noise"
            metric = self._task.spec.metric
            reached = metric.improvement(end.value, baseline) if end.value is not None else 0.0
            detail = f"{_short(end)} against {baseline:.4g}, {reached:.0%} of the way to {metric.best:g}"
            rows.append(row(f"solution {name} on test", [] if self._gains(end, "test") else [problem], detail))
        return rows

    def deterministic_row(self) -> CheckRow:
        before = self._calls["val"]
        again = self._recorded("val")
        problems = []
        # a time is never the same twice; what was timed must be
        if again.metrics != self.outcomes["val"].metrics and not self._task.spec.timed:
            problems.append(f"metrics {self.outcomes['val'].metrics}, then {again.metrics}")
        if [c.job.inputs for c in before] != [c.job.inputs for c in self._calls["val"]]:
            problems.append("the inputs differ between two evaluations with the same seed")
        return row("same seed, same result", problems, "two evaluations agree to the last bit")

    def odd_outputs_row(self) -> CheckRow:
        return odd_outputs_row(self._task, self._replay)

    def hostile_rows(self) -> list[CheckRow]:
        """What the known holes of other harnesses would let a candidate do is out of reach, or changes nothing."""
        # twice: the second process would find what the first left behind
        looks = [self._first_process(probes.looking(self._task)) for _ in range(2)]
        rows = [_look_row(name, [log for log, _ in looks]) for name in probes.LOOKING]
        log, outputs = self._first_process(probes.lying(self._task))
        fooled = outputs is None or encode(outputs) != encode(self._calls["val"][0].outputs)
        changed = [f"the outputs of the process changed: {log[-200:]}"] if fooled else []
        rows.append(row("faked results and metrics change nothing", changed, ", ".join(probes.LYING)))
        claim = self._evaluator.evaluate(probes.claiming(self._task), "val")
        claims = [f"accepted with {claim.value:.4g}"] if self._gains(claim, "val") else []
        rows.append(row("claimed metrics are not believed", claims, _short(claim)))
        return rows

    def _recorded(self, split: Split) -> Outcome:
        """Evaluate the baseline and keep its calls. The grader is loaded anew, so that it remembers nothing."""
        recorder = Recorder(self._sandbox)
        outcome = Evaluator(self._task, recorder, seed=0).baseline(split)
        self._evaluator.know_baseline(split, outcome.metrics)
        self._calls[split] = recorder.calls
        return outcome

    def _unreported(self, outcome: Outcome) -> list[str]:
        """Metrics that task.toml speaks of and the grader does not."""
        names = [*(constraint.metric for constraint in self._task.spec.constraints), *self._task.spec.secondary]
        return [name for name in dict.fromkeys(names) if name not in outcome.metrics]

    @cached_property
    def _replay(self) -> Replay:
        return Replay(self._task, self._calls["val"], self.outcomes["val"])

    def _first_process(self, candidate: Candidate) -> tuple[str, dict[str, object] | None]:
        """The log and the outputs of a candidate in place of the baseline in the first process of its evaluation."""
        job = self._calls["val"][0].job
        result = self._sandbox.run(replace(job, files={**job.files, **candidate.files}))
        return f"{result.log_tail}\n{result.message}", result.outputs

    def _baseline(self, split: Split) -> float:
        value = self.outcomes[split].value
        assert value is not None, "asked for only after the baseline ran"
        return value

    def _gains(self, end: Outcome, split: Split) -> bool:
        return end.value is not None and beats(self._task, split, end.value, self._baseline(split))


def _short(outcome: Outcome) -> str:
    return f"{outcome.value:.4g}" if outcome.value is not None else outcome.kind


def _look_row(name: str, logs: list[str]) -> CheckRow:
    lines = [
        line.partition(":")[2].strip() for log in logs for line in log.splitlines() if line.startswith(f"probe {name}:")
    ]
    problems = [line for line in lines if line.startswith(probes.REACHED)]
    if len(lines) < len(logs):
        problems.append(f"the probe did not run: {logs[-1][-200:]}")
    return row(f"hostile candidate: {name}", problems[:2], probes.NOTHING)
