"""P18: an error is swallowed and its stand-in counted as data."""

import ast
import re
from collections.abc import Iterator

from assay.judging.audit.case import Case
from assay.judging.audit.code.flow import is_random_call
from assay.judging.audit.code.source import Module
from assay.judging.audit.code.words import is_measure
from assay.judging.audit.inventory import File
from assay.judging.audit.model import Evidence, Finding
from assay.judging.audit.sources.values import Printed

SCORES = re.compile(
    r"(score|evaluat|judge|predict|rate|generate|answer|query|call|grade|classif|metric|accuracy|compute_|measure"
    r"|run_)",
    re.I,
)
ERROR_TEXT = re.compile(
    r"^\W*(error\b|exception\b|traceback|failed to|api (?:call )?(?:error|failed)|request failed|timed? ?out"
    r"|could not|cuda out of memory|\[?error\]?:|none of the)"
    r"|(?:RateLimitError|AuthenticationError|ConnectionError|OutOfMemoryError|KeyError:|RuntimeError:|HTTPError"
    r"|insufficient_quota|invalid api key|401 unauthorized)",
    re.I,
)
STRING = re.compile(r'"((?:[^"\\]|\\.){3,400})"')
NAMED_ERROR = re.compile(
    r'"(?:error|exception|traceback|message|status|reason|stderr)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^",}\]]*)', re.I
)
LARGEST = 4 * 2**20
SIGN = re.compile(r"error|exception|traceback|fail|timed? ?out|could not|quota|unauthorized|memory", re.I)


def check(case: Case) -> Iterator[Finding]:
    handlers = [found for module in case.program.modules if not module.is_test for found in _handlers(case, module)]
    answers = list(_error_answers(case))
    if answers:
        yield Finding(
            pattern="P18",
            verdict="invented",
            weight=0.6 if handlers else 0.45,
            message="error messages stand among the raw results where answers should be",
            evidence=tuple([*answers, *(e for e, _ in handlers)][:6]),
        )
    for evidence, severe in handlers:
        if severe:
            yield Finding(
                pattern="P18",
                verdict="invented",
                weight=0.5 if severe == "found" else 0.3,
                message="when the call fails, a made-up value is returned"
                + (", and the raw results hold it" if severe == "found" else ""),
                evidence=(evidence,),
            )


def _handlers(case: Case, module: Module) -> list[tuple[Evidence, str]]:
    """Broad handlers in functions that score or answer, which return a value; and how grave that is."""
    out = []
    for node in module.nodes:
        if not isinstance(node, ast.ExceptHandler) or not _is_broad(node) or not case.program.lives(module, node):
            continue
        function = module.function_of(node)
        if function is None or not SCORES.search(function.name):
            continue
        for inner in ast.walk(node):
            value = inner.value if isinstance(inner, ast.Return) else None
            if (
                isinstance(inner, ast.Assign)
                and isinstance(inner.targets[0], ast.Name | ast.Subscript)
                and _is_outcome(inner.targets[0])
            ):
                value = inner.value
            if value is not None and (grave := _gravity(case, module, value)) is not None:
                out.append((module.at(inner), grave))
    return out


def _is_outcome(target: ast.expr) -> bool:
    if isinstance(target, ast.Subscript):
        return isinstance(target.slice, ast.Constant) and is_measure(str(target.slice.value))
    return isinstance(target, ast.Name) and is_measure(target.id)


def _is_broad(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or (
        isinstance(handler.type, ast.Name) and handler.type.id in ("Exception", "BaseException")
    )


def _gravity(case: Case, module: Module, value: ast.expr) -> str | None:
    """`found` for a stand-in that the raw results hold, `counted` for one that would help the result, empty for one
    that is merely there, None for an honest one."""
    if any(isinstance(n, ast.Call) and is_random_call(n) for n in ast.walk(value)):
        return "counted"
    origin = case.flow.origin(value, module)
    if origin.is_measured and not isinstance(value, ast.JoinedStr):
        return None
    numbers = [
        n
        for n in ast.walk(value)
        if isinstance(n, ast.Constant) and isinstance(n.value, int | float) and not isinstance(n.value, bool)
    ]
    defaults = [float(n.value) for n in numbers if isinstance(n.value, int | float) and 0 < float(n.value) <= 1]
    if defaults:
        held = [v for v in defaults if v < 1 and case.index.find(Printed(f"{v:g}", v, 12))]
        return "found" if held else "counted"
    if any(_prevails(case, float(n.value)) for n in numbers if isinstance(n.value, int | float) and n.value > 1):
        return "found"
    strings = [n for n in ast.walk(value) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return "" if strings and not numbers else None


def _prevails(case: Case, stand_in: float) -> bool:
    """Whether half of the raw values of some measure, and at least a few, are this very number."""
    values: dict[str, list[float]] = {}
    for path, value, _ in case.index.labelled:
        if is_measure(key := re.split(r"[.\s]", path)[-1]):
            values.setdefault(key, []).append(value)
    return any(found.count(stand_in) >= max(5, 0.5 * len(found)) for found in values.values())


def _error_answers(case: Case) -> Iterator[Evidence]:
    """Strings of raw results that are error messages, if they are many."""
    traced = {trace.file for trace in case.traces}
    for file in case.inventory.of("raw"):
        if file.suffix in (".json", ".jsonl", ".csv") and file.size <= LARGEST and file.name not in traced:
            text = file.text
            found = list(_errors_in(file, text)) if SIGN.search(text) else []
            if len(found) >= 3:
                yield found[0]


def _errors_in(file: File, text: str) -> Iterator[Evidence]:
    for number, line in enumerate(text.splitlines(), start=1):
        unnamed = NAMED_ERROR.sub("", line[:20_000])  # an error that is recorded under its own name is honest
        texts = STRING.findall(unnamed) if file.suffix != ".csv" else unnamed.split(",")
        for _ in filter(ERROR_TEXT.search, texts):
            yield Evidence(file=file.name, line=number, quote=line.strip()[:200])
