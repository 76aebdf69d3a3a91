"""The places in code where outcomes get their values: dictionaries, columns, lists, variables, and plots."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.judging.audit.code.flow import Flow, Origin
from assay.judging.audit.code.source import Module, Program, called_name, dotted
from assay.judging.audit.code.words import is_measure

DATA_MAKER = re.compile(
    r"(data|dataset|sample|corpus|example|question|prompt|population|user|task|env|config|argument|args|parse"
    r"|graph|feature|init)",
    re.I,
)
RESULT_MAKER = re.compile(r"(result|metric|experiment|eval|perform|train|log)", re.I)
PLOTS = {
    "plot",
    "bar",
    "barh",
    "scatter",
    "errorbar",
    "fill_between",
    "boxplot",
    "heatmap",
    "imshow",
    "barplot",
    "lineplot",
    "semilogy",
}
SAVERS = {
    "dump",
    "dumps",
    "to_csv",
    "to_json",
    "savefig",
    "save",
    "savez",
    "write",
    "writelines",
    "writerow",
    "writerows",
}
RESULT_FILE = re.compile(r"(result|metric|score|eval|perf|accurac|benchmark|summary|outcome|ablation)", re.I)
"""Names of files, or of their folders, that hold outcomes."""
DATA_FILE = re.compile(r"(data|dataset|split|sample|config|prompt|question|input|corpus|param|seed|vocab)", re.I)
SAVERS |= {"write_text", "savetxt", "to_markdown", "to_latex", "to_excel"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A measure that is given a value in code."""

    name: str
    node: ast.expr
    origin: Origin
    module: Module
    plotted: bool = False
    saved: bool = False
    """Whether it is all that a result file is filled with."""

    @property
    def is_random(self) -> bool:
        return self.origin.is_random

    @property
    def is_typed(self) -> bool:
        return not self.origin.is_measured and not self.origin.is_random and bool(self.origin.telling)


def saves(module: Module) -> bool:
    """Whether a module leaves anything behind."""
    return any(called_name(call).rsplit(".", 1)[-1] in SAVERS for call in module.calls)


def outcomes(program: Program, flow: Flow) -> list[Outcome]:
    """All live outcomes of the modules that leave something behind, or are imported by one that does."""
    out = []
    for module in program.modules:
        if module.is_test or not (saves(module) or module.stem in program.imported):
            continue
        for name, value, plotted in _places(module):
            if _is_data(module, value) or not program.lives(module, value):
                continue
            out.append(Outcome(name, value, flow.origin(value, module), module, plotted))
        for name, value in _saved(module):
            if program.lives(module, value):
                out.append(Outcome(name, value, flow.origin(value, module), module, saved=True))
    return out


def _saved(module: Module) -> Iterator[tuple[str, ast.expr]]:
    """What is written whole into a file that is named for results, and the file."""
    for call in module.calls:
        if called_name(call) in ("json.dump", "pickle.dump", "yaml.dump", "yaml.safe_dump") and len(call.args) >= 2:
            file = _file_name(module, call.args[1])
            if RESULT_FILE.search(file) and not DATA_FILE.search(file.rsplit("/", 1)[-1]):
                yield file, call.args[0]


def _file_name(module: Module, target: ast.expr) -> str:
    """The typed parts of the name of a file that is open for writing; empty if there are none."""
    if isinstance(target, ast.Name):
        opened = [
            item.context_expr
            for above in module.enclosing(target)
            if isinstance(above, ast.With)
            for item in above.items
            if isinstance(item.optional_vars, ast.Name) and item.optional_vars.id == target.id
        ]
        target = opened[0] if opened else target
    typed = [n.value for n in ast.walk(target) if isinstance(n, ast.Constant) and isinstance(n.value, str)]
    return "".join(text for text in typed if not re.fullmatch(r"[wax]b?t?\+?|utf-?8", text, re.I))


def _is_data(module: Module, node: ast.AST) -> bool:
    """Whether a value stands in a function that makes data or settings and not results."""
    function = module.function_of(node)
    name = function.name if function else ""
    return bool(DATA_MAKER.search(name)) and not RESULT_MAKER.search(name)


def _places(module: Module) -> Iterator[tuple[str, ast.expr, bool]]:
    for node in module.nodes:
        match node:
            case ast.Dict(keys=keys, values=values):
                yield from _dictionary(keys, values)
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _assigned(target, value)
            case ast.AugAssign(target=ast.Name(id=name), value=value) if is_measure(name):
                yield name, value, False
            case ast.Call(func=ast.Attribute(value=holder, attr="append"), args=[value]) if is_measure(
                dotted(holder).split(".")[-1]
            ):
                yield dotted(holder), value, False
            case ast.Call() if called_name(node).rsplit(".", 1)[-1] in PLOTS and len(node.args) >= 1:
                label = next(
                    (k.value.value for k in node.keywords if k.arg == "label" and isinstance(k.value, ast.Constant)),
                    "plot",
                )
                yield str(label), node.args[1] if len(node.args) > 1 else node.args[0], True


def _dictionary(keys: list[ast.expr | None], values: list[ast.expr]) -> Iterator[tuple[str, ast.expr, bool]]:
    for key, value in zip(keys, values, strict=True):
        if (
            isinstance(key, ast.Constant)
            and isinstance(key.value, str)
            and is_measure(key.value)
            and not isinstance(value, ast.Dict)
        ):
            yield key.value, value, False


def _assigned(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr, bool]]:
    match target:
        case ast.Name(id=name) if is_measure(name) or (
            name.islower() and name.endswith(("results", "metrics", "performance"))
        ):
            if not isinstance(value, ast.Dict) or all(not isinstance(v, ast.Dict) for v in value.values):
                yield name, value, False
            elif isinstance(value, ast.Dict):
                # {method: {measure: number}} has keys that are found on their own
                for inner in value.values:
                    if isinstance(inner, ast.Dict):
                        yield from (
                            (name, v, False) for v in inner.values if is_measure(name) and isinstance(v, ast.Constant)
                        )
        case ast.Subscript(slice=ast.Constant(value=str() as key)) if is_measure(key):
            yield key, value, False
        case ast.Attribute(attr=name) if is_measure(name):
            yield name, value, False
