"""A step in words, for an agent that asked for it."""

from assay.strategies.memory import error_text, metric_line, tail
from assay.strategies.request import Step
from assay.tasks.spec import TaskSpec

OUTPUT_CHARS = 2_000


def described(step: Step, spec: TaskSpec) -> str:
    """What was measured, or why there is nothing; the same words for every interactive agent."""
    name = f"Validation {step.index}" if step.index else "The unchanged starter"
    lines = [metric_line(name, spec.metric, step.value)]
    others = {key: value for key, value in sorted(step.outcome.metrics.items()) if key != spec.metric.name}
    if others:
        lines.append("Also measured: " + ", ".join(f"{key} {value:.6g}" for key, value in others.items()))
    if not step.ok:
        lines.append(f"It failed: {error_text(step.outcome)}")
    elif step.outcome.log_tail.strip():
        lines.append(f"It printed:\n{tail(step.outcome.log_tail, OUTPUT_CHARS)}")
    return "\n".join(lines)


def refusal() -> str:
    return "EnvError: no validation is left but the one for what is handed in"
