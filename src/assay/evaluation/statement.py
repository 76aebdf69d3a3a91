"""Does the folder hold what a task needs, and does its statement say what its task.toml says?"""

import ast
import re

from assay.evaluation.rows import CheckRow, row
from assay.tasks.load import Task

PROBES = ("constant", "random", "shuffled")
SEEDS = 20
_DIRECTION = {"max": r"\b(higher|larger?|maximi[sz]e)\b", "min": r"\b(lower|smaller|small|minimi[sz]e)\b"}


def folder_row(task: Task) -> CheckRow:
    """Everything that loading the task did not ask for already."""
    problems = [f"probes/{name}/ is missing" for name in PROBES if name not in task.probes]
    if not task.solutions:
        problems.append("solutions/ has no known-good candidate")
    if not task.paths.notes.is_file():
        problems.append("NOTES.md is missing: say how the task was made")
    if task.spec.noise is None or task.spec.noise.seeds < SEEDS:
        problems.append(f"[noise] is missing or has fewer than {SEEDS} seeds: assay noise {task.id} --repeats {SEEDS}")
    candidates = {"workspace": task.baseline} | {f"solutions/{name}": c for name, c in task.solutions.items()}
    for where, candidate in candidates.items():
        for path, names in task.spec.defines.items():
            try:
                defined = _top_level_names(candidate.files[path])
            except SyntaxError as error:
                problems.append(f"{where}/{path} is not Python: {error}")
                continue
            problems += [f"{where}/{path} does not define '{name}'" for name in names if name not in defined]
    return row("folder", problems, f"{len(task.solutions)} solutions, {len(task.probes)} probes")


def statement_row(task: Task) -> CheckRow:
    """Names and numbers of task.toml that an agent must know stand in prompt.md."""
    spec, text = task.spec, task.prompt
    wanted = {
        f"the metric's name '{spec.metric.name}'": re.escape(spec.metric.name),
        f"its direction ('higher' or 'lower' is better): {spec.metric.direction}": _DIRECTION[spec.metric.direction],
        f"the time limit, {spec.limits.seconds:g} s": rf"\b{spec.limits.seconds:g} ?(s|seconds)\b",
        f"the memory limit, {spec.limits.memory_mb} MB": rf"\b{spec.limits.memory_mb} ?MB\b",
    }
    wanted |= {f"the editable file {path}": re.escape(path) for path in spec.editable}
    wanted |= {f"the function {name}": rf"\b{re.escape(name)}\b" for names in spec.defines.values() for name in names}
    wanted |= {f"the file {path} that is left": re.escape(path) for path in (spec.script.leaves if spec.script else ())}
    for constraint in spec.constraints:
        wanted[f"the constraint's metric '{constraint.metric}'"] = re.escape(constraint.metric)
        for number in (constraint.tolerance, 1.0 - constraint.factor):
            if number:
                # a share may be said as such, as a percentage, or by what remains of the whole
                ways = "|".join(
                    re.escape(f"{value:g}") for value in (number, 100 * number, 1 - number, 100 * (1 - number))
                )
                wanted[f"the constraint's tolerance, {number:g}"] = rf"(?<![\d.])({ways})(?![\d])"
    problems = [
        f"prompt.md does not say {what}" for what, pattern in wanted.items() if not re.search(pattern, text, re.I)
    ]
    return row("statement agrees with task.toml", problems, f"{len(wanted)} facts found in prompt.md")


def _top_level_names(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names
