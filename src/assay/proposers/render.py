"""From a request and what is known to a prompt: one template for each kind, the same for every strategy.

Nothing of the machine is in a prompt: paths are relative, clocks and addresses are left out. Every section has a
longest length, so that the dearest prompt of a task can be told beforehand.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from assay.models.base import Message, Prompt
from assay.models.templates import render_from
from assay.proposers.base import View
from assay.proposers.edits.apply import size_limit
from assay.strategies.memory import DIFF_CHARS, ERROR_CHARS, PHRASE_CHARS, diff_text, error_text, metric_line, tail
from assay.strategies.request import Ask, Request, Step
from assay.tasks.candidate import Candidate
from assay.tasks.load import Task
from assay.tasks.spec import Constraint

_PROMPTS = Path(__file__).parent / "prompts"
SHORT_LINES = 200
"""A file up to this length is written whole, a longer one is changed by blocks."""
MEMORY_CHARS = 40_000
IDEA_CHARS = 4_000
GUIDANCE_CHARS = 6_000
FIXED_CHARS = 20_000
DESCRIPTION_CHARS = 4 * PHRASE_CHARS
OTHERS = 4
"""How many further parents are shown, each with its diff."""
ASKED_ABOUT = 2
"""How many steps of an ask are shown, each with its code."""
FRAME_CHARS = 8_000
"""The words of the templates themselves, with what stands between the sections."""


def request_prompt(request: Request, view: View) -> Prompt:
    """The prompt for code. `request.kind` has a template of its name."""
    first, *rest = (view.steps[index] for index in request.parents)
    start = view.steps[0].candidate
    others = [step for step in rest if step.candidate.digest not in (start.digest, first.candidate.digest)]
    return _prompt(
        request.kind,
        task=_task(view),
        parent=_shown(first, view),
        others=[_shown(step, view, against=start) for step in others[:OTHERS]],
        memory=_head(request.memory, MEMORY_CHARS),
        guidance=_head(request.guidance, GUIDANCE_CHARS),
        idea=_head(request.idea, IDEA_CHARS),
        defines=[f"`{path}` must define: {', '.join(names)}" for path, names in view.task.spec.defines.items()],
    )


def ask_prompt(ask: Ask, view: View) -> Prompt:
    """The prompt for words. Only the first few steps are shown; the memory speaks for the others."""
    return _prompt(
        ask.kind,
        task=_task(view),
        steps=[_shown(view.steps[index], view) for index in ask.steps[:ASKED_ABOUT]],
        memory=_head(ask.memory, MEMORY_CHARS),
        guidance=_head(ask.guidance, GUIDANCE_CHARS),
        count=ask.count,
    )


def repair_message(kind: str, problems: tuple[str, ...]) -> Message:
    """What a model is told whose answer cannot be used."""
    return Message(role="user", content=_render("repair", kind=kind, problems=[_head(p, 2_000) for p in problems[:8]]))


def longest_prompt(task: Task) -> int:
    """Characters of the longest prompt that any request or ask on this task can lead to."""
    code = size_limit(task.baseline) * len(task.spec.editable)
    step = DESCRIPTION_CHARS + DIFF_CHARS + 2 * ERROR_CHARS + 1_000
    words = MEMORY_CHARS + IDEA_CHARS + GUIDANCE_CHARS + FIXED_CHARS + len(task.prompt) + FRAME_CHARS
    return words + ASKED_ABOUT * code + (1 + OTHERS) * step


def _render(name: str, **context: Any) -> str:
    return render_from(_PROMPTS, name, **context)


def _prompt(name: str, **context: Any) -> Prompt:
    return Prompt(
        messages=(
            Message(role="system", content=_render("system")),
            Message(role="user", content=_render(name, **context)),
        )
    )


def _task(view: View) -> Mapping[str, Any]:
    spec, metric = view.task.spec, view.task.spec.metric
    goal = f"{metric.name}, {'higher' if metric.direction == 'max' else 'lower'} is better"
    return {
        "statement": view.task.prompt.strip(),
        "goal": goal,
        "constraints": [_constraint(constraint) for constraint in spec.constraints],
        "baseline": metric_line("The starting code", metric, view.steps[0].value),
        "fixed": _within(view.task.fixed_files, FIXED_CHARS),
    }


def _within(files: Mapping[str, str], limit: int) -> list[dict[str, str]]:
    """Files in order as long as they fit together; of the others the names, as long as those fit."""
    shown = []
    for path, text in sorted(files.items()):
        text = text if len(path) + len(text) <= limit else ""
        limit -= len(path) + len(text)
        if limit >= 0:
            shown.append({"path": path, "text": text})
    return shown


def _constraint(constraint: Constraint) -> str:
    """`accuracy >= that of the starting code - 0.01`."""
    reference = "that of the starting code" if constraint.reference == "baseline" else f"{constraint.reference:g}"
    scaled = reference if constraint.factor == 1 else f"{constraint.factor:g} times {reference}"
    sign = "-" if constraint.op == ">=" else "+"
    slack = f" {sign} {constraint.tolerance:g}" if constraint.tolerance else ""
    return f"{constraint.metric} {constraint.op} {scaled}{slack}"


def _shown(step: Step, view: View, against: Candidate | None = None) -> Mapping[str, Any]:
    """A step as templates see it. The diff is against the step's own first parent unless another code is given."""
    metric = view.task.spec.metric
    parent = view.steps[step.request.parents[0]] if step.request and step.request.parents else None
    before = against or (parent.candidate if parent else step.candidate)
    measured = {name: value for name, value in sorted(step.outcome.metrics.items()) if name != metric.name}
    return {
        "index": step.index,
        "line": metric_line(f"Step {step.index}" if step.index else "The starting code", metric, step.value),
        "before": metric_line(f"step {parent.index}", metric, parent.value) if parent else "",
        "measured": ", ".join(f"{name} {value:.6g}" for name, value in measured.items()),
        "failure": "" if step.ok else error_text(step.outcome),
        "output": tail(step.outcome.log_tail, ERROR_CHARS) if step.ok else "",
        "description": _head(step.description, DESCRIPTION_CHARS),
        "diff": diff_text(before, step.candidate),
        "files": _files(step.candidate.files),
    }


def _files(files: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {"path": path, "text": text, "short": text.count("\n") <= SHORT_LINES} for path, text in sorted(files.items())
    ]


def _head(text: str, limit: int) -> str:
    text = text.strip()
    return text if len(text) <= limit else text[:limit] + "\n... (cut)"
