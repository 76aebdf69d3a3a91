"""P6 and P18: a stand-in did the work. A fallback that the log shows was taken, a hash for a judgement, a sleep for an
effort."""

import ast
import re
from collections.abc import Iterator

from assay.judging.audit.case import Case
from assay.judging.audit.code.flow import PURE, is_random_call
from assay.judging.audit.code.source import FunctionNode, Module, called_name
from assay.judging.audit.code.words import MOCK, vocabulary
from assay.judging.audit.model import Evidence, Finding

SAYS = vocabulary("print info warning warn error debug exception critical write log")
FALLBACK = re.compile(
    r"unavailable|not available|not found|not installed|fall(?:ing|s)? ?back|failed|could not|cannot|can't|missing"
    r"|offline|\busing (?:\w+ )?(?:simulated|synthetic|mock|dummy|generated|random|placeholder)",
    re.I,
)
TOLD = re.compile(
    r"\bf(?:a|e)ll(?:s|ing|en)?[ -]?back|\bunavailable|\bnot available|\bcould not|\bstand-?in|\bsynthetic|\bsimulat"
    r"|\bmock|\bdummy|\b(?:random(?:ly)?|generated|artificial) (?:\w+ )?(?:data|tensors?|images?|vectors?|embeddings?"
    r"|samples?|inputs?)",
    re.I,
)
PIECE = re.compile(r"%[-+ #0-9.]*[a-zA-Z]|\{[^}]*\}")
SHORTEST = 12
"""A shorter piece of a message may stand in a log by chance."""
JUDGES = re.compile(
    r"(predict|verif|evaluat|classif|judge|rate|rating|score|grade|answer|assess|similarity|quality)", re.I
)
HASHES = vocabulary("hash hexdigest digest crc32 adler32")
IDLE = vocabulary("sleep append len range sum print info debug perf_counter time isinstance min max round format")
DURATION = re.compile(r"latency|time|speed|throughput|seconds|\bms\b|\(s\)|fps|/s\b", re.I)


def check(case: Case) -> Iterator[Finding]:
    modules = [module for module in case.program.modules if not module.is_test]
    yield from _taken(case, modules)
    hashed = [module.at(f) for module in modules for f in _functions(case, module) if _judges_by_hash(case, module, f)]
    if hashed:
        yield Finding(
            pattern="P6",
            verdict="invented",
            weight=0.55,
            message="what should judge returns a hash of its input",
            evidence=tuple(hashed[:4]),
        )
    timed = any(DURATION.search(cell.column) for _, cell in case.cells)
    idle = [
        module.at(f) for module in modules for f in _functions(case, module) if timed and _only_sleeps(case, module, f)
    ]
    if idle:
        yield Finding(
            pattern="P6",
            verdict="invented",
            weight=0.55,
            message="durations are reported, and what should take time sleeps for a typed while and does nothing else",
            evidence=tuple(idle[:4]),
        )


def _functions(case: Case, module: Module) -> Iterator[FunctionNode]:
    return (f for f in module.functions.values() if case.program.lives(module, f.body[0]))


def _taken(case: Case, modules: list[Module]) -> Iterator[Finding]:
    """Blocks that make random or mocked things after something failed, whose message stands in a log."""
    papers = [d for d in case.documents if d.is_paper] or case.documents
    if any(TOLD.search(d.text) for d in papers):
        return
    for module in modules:
        for block in _blocks(module):
            if not case.program.lives(module, block[0]) or not _stands_in(block):
                continue
            for message in _messages(block):
                seen = _in_logs(case, message)
                if seen is not None:
                    yield Finding(
                        pattern="P18",
                        verdict="invented",
                        weight=0.55,
                        message="something failed, random or mocked things took its place, and no report says so",
                        evidence=(module.at(block[0]), seen),
                    )
                    return


def _blocks(module: Module) -> Iterator[list[ast.stmt]]:
    for node in module.nodes:
        if isinstance(node, ast.ExceptHandler):
            yield node.body
        elif isinstance(node, ast.If):
            yield node.body
            if node.orelse:
                yield node.orelse


def _calls(block: list[ast.stmt]) -> Iterator[ast.Call]:
    return (n for statement in block for n in ast.walk(statement) if isinstance(n, ast.Call))


def _stands_in(block: list[ast.stmt]) -> bool:
    """Whether a block makes something by chance or by a mock. One that sleeps waits for another attempt."""
    calls = list(_calls(block))
    if any(called_name(call).endswith("sleep") for call in calls):
        return False
    return any(is_random_call(call) or MOCK.search(called_name(call).rsplit(".", 1)[-1]) for call in calls)


def _messages(block: list[ast.stmt]) -> Iterator[str]:
    """The longest fixed piece of every message of a block that speaks of a failure or a fallback."""
    for call in _calls(block):
        if called_name(call).rsplit(".", 1)[-1] not in SAYS or not call.args:
            continue
        first = call.args[0]
        parts = first.values if isinstance(first, ast.JoinedStr) else [first]
        typed = [p.value for p in parts if isinstance(p, ast.Constant) and isinstance(p.value, str)]
        if FALLBACK.search(" ".join(typed)):
            piece = max((p.strip() for text in typed for p in PIECE.split(text)), key=len, default="")
            if len(piece) >= SHORTEST:
                yield piece


def _in_logs(case: Case, message: str) -> Evidence | None:
    for log in case.logs:
        for line in log.lines:
            if message in line.text:
                return Evidence(file=log.file, line=line.number, quote=line.text[:200])
    return None


def _judges_by_hash(case: Case, module: Module, function: FunctionNode) -> bool:
    """Whether a remainder of a hash is part of what a judging function returns; as an index it is a feature."""
    if not JUDGES.search(function.name):
        return False
    returned = [n.value for n in ast.walk(function) if isinstance(n, ast.Return) and n.value is not None]
    indices = {
        id(n) for value in returned for s in ast.walk(value) if isinstance(s, ast.Subscript) for n in ast.walk(s.slice)
    }
    return any(
        isinstance(part, ast.BinOp)
        and isinstance(part.op, ast.Mod)
        and id(part) not in indices
        and _is_hash(case, module, part.left)
        for value in returned
        for part in ast.walk(value)
    )


def _is_hash(case: Case, module: Module, node: ast.expr, depth: int = 0) -> bool:
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and called_name(part).rsplit(".", 1)[-1] in HASHES:
            return True
        if isinstance(part, ast.Name) and depth < 3:
            ways = case.flow.ways(part, module)
            if ways and all(_is_hash(case, where, way, depth + 1) for way, where in ways):
                return True
    return False


def _only_sleeps(case: Case, module: Module, function: FunctionNode) -> bool:
    """Whether a function sleeps for a time that nothing measured decides, and calls nothing that could work."""
    calls = [n for n in ast.walk(function) if isinstance(n, ast.Call)]
    sleeps = [c for c in calls if called_name(c) in ("time.sleep", "sleep") and c.args]
    if not sleeps or re.search(r"wait|poll|retry|limit|throttl|backoff", function.name, re.I):
        return False
    others = [c for c in calls if not is_random_call(c) and called_name(c).rsplit(".", 1)[-1] not in IDLE | PURE]
    return not others and all(not case.flow.origin(c.args[0], module).is_measured for c in sleeps)
