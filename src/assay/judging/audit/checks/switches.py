"""P3 and P6: a switch leads to a mock, or a class that stands in for a model was used."""

import ast
import re
from collections.abc import Iterator

from assay.judging.audit.case import Case
from assay.judging.audit.code.source import Module, called_name, dotted
from assay.judging.audit.code.words import MOCK
from assay.judging.audit.model import Evidence, Finding

MOCK_MODEL = re.compile(
    r"(mock|simulat\w*|fake|dummy)_?\w*(llm|model|verifier|judge|api|client|retriev|embed|gpt|prover|human|annotator)"
    r"|(llm|model|verifier|judge|retriever|gpt|prover|human)_?(mock|simulat)",
    re.I,
)


def check(case: Case) -> Iterator[Finding]:
    for module in case.program.modules:
        if not module.is_test:
            yield from _mock_classes(case, module)
            yield from _mock_mode(case, module)


def _mock_classes(case: Case, module: Module) -> Iterator[Finding]:
    """A class that is named a mock or a simulation of a model, and is used."""
    for node in module.nodes:
        if isinstance(node, ast.ClassDef) and MOCK_MODEL.search(node.name) and is_made(case, node.name):
            message = f"`{node.name}` stands in for a model, and no report says so"
            yield Finding(pattern="P6", verdict="invented", weight=0.5, message=message, evidence=(module.at(node),))


def is_made(case: Case, name: str) -> bool:
    """Whether a class is made anywhere but under a switch that was off."""
    return any(
        case.program.lives(module, node)
        and not any(_is_off(case, module, above, node) for above in module.enclosing(node))
        for module, node in case.program.uses.get(name, ())
    )


def _is_off(case: Case, module: Module, above: ast.AST, node: ast.AST) -> bool:
    """Whether a node stands in the branch of a switch that is known not to have been taken."""
    if not isinstance(above, ast.If | ast.IfExp):
        return False
    body = above.body if isinstance(above.body, list) else [above.body]
    orelse = above.orelse if isinstance(above.orelse, list) else [above.orelse]
    for branch, taken in ((body, True), (orelse, False)):
        if any(node is inner for part in branch for inner in ast.walk(part)):
            return _is_on(case, module, above.test, not taken) is not None
    return False


def _mock_mode(case: Case, module: Module) -> Iterator[Finding]:
    """A switch leads to a mock, and it is on by default or was on when the code ran."""
    for node in module.nodes:
        if not isinstance(node, ast.If | ast.IfExp) or not case.program.lives(module, node):
            continue
        body = node.body if isinstance(node.body, list) else [node.body]
        orelse = node.orelse if isinstance(node.orelse, list) else [node.orelse]
        for branch, taken in ((body, True), (orelse, False)):
            mocks = [
                c
                for part in branch
                for c in ast.walk(part)
                if isinstance(c, ast.Call) and MOCK.search(called_name(c).rsplit(".", 1)[-1])
            ]
            mocks = [c for c in mocks if not re.search(r"data|env|noise|user|magicmock", called_name(c), re.I)]
            if mocks and (why := _is_on(case, module, node.test, taken)):
                yield Finding(
                    pattern="P3",
                    verdict="invented",
                    weight=0.65,
                    message=f"a switch leads to `{called_name(mocks[0])}`, and {why[0]}",
                    evidence=(module.at(node), module.at(mocks[0]), *([why[1]] if why[1] else [])),
                )


def _is_on(case: Case, module: Module, test: ast.expr, taken: bool) -> tuple[str, Evidence | None] | None:
    """Why the branch was taken, if that is known."""
    wanted = taken
    while isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, wanted = test.operand, not wanted
    name = dotted(test).rsplit(".", 1)[-1]
    if not name:
        return None
    flag = "--" + name.replace("_", "-")
    for command in [
        *case.commands,
        *(line for f in case.inventory.of("shell") for line in f.text.splitlines() if not line.startswith("#")),
    ]:
        if re.search(rf"{re.escape(flag)}\b|--{re.escape(name)}\b", command):
            return (
                ("the command that ran asks for it", Evidence(file="commands", quote=command[:200])) if wanted else None
            )
    default = _default(case, module, name)
    if default is not None and default[0] is wanted:
        return "that is the default", default[1]
    return None


def _default(case: Case, module: Module, name: str) -> tuple[bool, Evidence] | None:
    """The value a switch has if nobody sets it, and where that stands."""
    for other in [module, *case.program.modules]:
        for node in other.nodes:
            match node:
                case ast.Assign(targets=[target], value=ast.Constant(value=bool() as value)) if (
                    dotted(target).rsplit(".", 1)[-1].lower() == name.lower()
                ):
                    return value, other.at(node)
                case ast.keyword(arg=arg, value=ast.Constant(value=bool() as value)) if arg == name:
                    return value, other.at(node.value)
                case ast.Call() if called_name(node).endswith("add_argument") and _flag_of(node) == name:
                    return _argument_default(node), other.at(node)
    for node in module.functions.values():
        names = [a.arg for a in node.args.args]
        for arg, default in zip(reversed(names), reversed(node.args.defaults), strict=False):
            if arg == name and isinstance(default, ast.Constant) and isinstance(default.value, bool):
                return default.value, module.at(node)
    return None


def _flag_of(call: ast.Call) -> str:
    flags = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    return flags[-1].lstrip("-").replace("-", "_") if flags else ""


def _argument_default(call: ast.Call) -> bool:
    given = {k.arg: k.value for k in call.keywords}
    default = given.get("default")
    if isinstance(default, ast.Constant):
        return bool(default.value)
    action = given.get("action")
    return isinstance(action, ast.Constant) and action.value == "store_false"
