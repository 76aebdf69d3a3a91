"""What a search has learnt, as text: the one place that renders metric lines, errors, diffs and history.

Every strategy and every prompt uses these functions with these limits, so that no agent sees more than another.
Texts written by agents are put on one line and cut: they are data.
"""

from bisect import insort
from collections import Counter
from collections.abc import Collection
from difflib import unified_diff

from assay.strategies.request import Step
from assay.tasks.candidate import Candidate
from assay.tasks.outcome import Outcome
from assay.tasks.spec import Metric

ERROR_CHARS = 1500
DIFF_CHARS = 6000
PHRASE_CHARS = 160
"""Length of a description or a remark in a row of history."""
ROWS = 40
BEST_ROWS = 10
"""Of the rows of a long history, how many go to the best steps; the newest steps have the others."""


def metric_line(label: str, metric: Metric, value: float | None) -> str:
    """One result, for example `baseline: accuracy 0.4312 (higher is better)`."""
    shown = "not available" if value is None else f"{value:.6g}"
    return f"{label}: {metric.name} {shown} ({'higher' if metric.direction == 'max' else 'lower'} is better)"


def error_text(outcome: Outcome) -> str:
    """What a failure looks like: its kind, the sentence that names it and the end of what was printed."""
    head = f"{outcome.kind}: {outcome.message}".rstrip(": ")
    return "\n".join(filter(None, (head, tail(outcome.log_tail, ERROR_CHARS))))


def tail(text: str, chars: int) -> str:
    """The end of a text, marked if anything was cut: a traceback ends with what matters."""
    text = text.rstrip()
    return text if len(text) <= chars else "..." + text[-chars:]


def phrase(text: str, chars: int = PHRASE_CHARS) -> str:
    """A text on one line, its beginning kept."""
    line = " ".join(text[: 4 * chars].split())
    return line if len(line) <= chars else line[: chars - 3] + "..."


def diff_size(old: Candidate, new: Candidate) -> tuple[int, int]:
    """Lines added and removed. A line that only moved counts as neither."""
    before: Counter[str] = Counter()
    after: Counter[str] = Counter()
    for path in {*old.files, *new.files}:
        if old.files.get(path) != new.files.get(path):
            before.update(old.files.get(path, "").splitlines())
            after.update(new.files.get(path, "").splitlines())
    return (after - before).total(), (before - after).total()


def diff_text(old: Candidate, new: Candidate) -> str:
    """The change as a unified diff with three lines of context, its end cut off when it is long."""
    lines: list[str] = []
    for path in sorted({*old.files, *new.files}):
        before, after = old.files.get(path, "").splitlines(), new.files.get(path, "").splitlines()
        if before != after:
            lines.extend(unified_diff(before, after, path, path, lineterm=""))
    text = "\n".join(lines)
    return text if len(text) <= DIFF_CHARS else text[:DIFF_CHARS] + "\n... (the rest of the diff is cut)"


class Memory:
    """The steps of one search and what was said about them. Rows are rendered once, when a step comes in."""

    def __init__(self, metric: Metric) -> None:
        self._metric = metric
        self._steps: dict[int, Step] = {}
        self._rows: dict[int, str] = {}
        self._remarks: dict[int, str] = {}
        self._ranking: list[tuple[float, int]] = []
        """Successful steps by sorting key and index, best first."""

    def add(self, step: Step) -> None:
        """Remember a step. Its first parent, if it has one, must have come before."""
        self._steps[step.index] = step
        self._rows[step.index] = self._row(step)
        if step.value is not None:
            insort(self._ranking, (-step.value if self._metric.direction == "max" else step.value, step.index))

    def remark(self, index: int, text: str) -> None:
        """Remember what an analysis said of a step; an empty text changes nothing."""
        if text:
            self._remarks[index] = text
            self._rows[index] = self._row(self._steps[index])

    def __getitem__(self, index: int) -> Step:
        return self._steps[index]

    def __len__(self) -> int:
        return len(self._steps)

    def history(self, indices: Collection[int] | None = None) -> str:
        """A table of what was tried and what came of it: all steps or those named, oldest first.

        A long table keeps its best and its newest rows and says how many it left out.
        """
        chosen = sorted(self._rows if indices is None else set(indices))
        kept = chosen
        if len(chosen) > ROWS:
            ranked = self.ranked(indices)[:BEST_ROWS]
            kept = sorted({*ranked, *chosen[len(ranked) - ROWS :]})
        rows = [self._rows[i] for i in kept]
        if len(kept) < len(chosen):
            rows.insert(0, f"({len(chosen) - len(kept)} steps that are neither among the best nor recent are left out)")
        return "\n".join(rows)

    def best(self, indices: Collection[int] | None = None) -> int | None:
        """The first of `ranked`, or None if nothing succeeded."""
        return next((i for _, i in self._ranking if indices is None or i in indices), None)

    def ranked(self, indices: Collection[int] | None = None) -> list[int]:
        """Successful steps, best first, the earlier one first among equals. A failure has no rank."""
        return [i for _, i in self._ranking if indices is None or i in indices]

    def _row(self, step: Step) -> str:
        """`#7 improve of #3: accuracy 0.81 (+0.02, better) | +4 -1 lines | what was changed | what was said of it`."""
        if step.request is None:
            return metric_line(f"#{step.index} baseline", self._metric, step.value)
        parent = self._steps.get(step.request.parents[0]) if step.request.parents else None
        cells = [f"#{step.index} {step.request.kind} of {', '.join(f'#{p}' for p in step.request.parents)}: "]
        cells[0] += self._result(step, parent)
        if parent is not None:
            added, removed = diff_size(parent.candidate, step.candidate)
            cells.append(f"+{added} -{removed} lines")
        cells += [phrase(step.description), phrase(self._remarks.get(step.index, ""))]
        return " | ".join(filter(None, cells))

    def _result(self, step: Step, parent: Step | None) -> str:
        if step.value is None:
            return phrase(f"{step.outcome.kind}: {step.outcome.message}".rstrip(": "))
        shown = f"{self._metric.name} {step.value:.6g}"
        if parent is None or parent.value is None:
            return shown
        change = step.value - parent.value
        word = "equal" if change == 0 else "better" if self._metric.better(step.value, parent.value) else "worse"
        return f"{shown} ({change:+.3g}, {word})"
