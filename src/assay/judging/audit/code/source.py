"""Python files and notebooks into syntax trees, with what the checks ask of them."""

import ast
import io
import json
import re
import tokenize
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from assay.judging.audit.inventory import File, Inventory
from assay.judging.audit.model import Evidence

LARGEST = 2 * 2**20
MAGIC = re.compile(r"^\s*[%!?].*$", re.M)
TEST_NAME = re.compile(r"(^|/)(tests?/|test_[^/]*$|[^/]*_test\.py$|conftest\.py$)")

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One parsed file of code."""

    file: str
    text: str
    tree: ast.Module

    @cached_property
    def lines(self) -> list[str]:
        return self.text.splitlines()

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @cached_property
    def functions(self) -> dict[str, FunctionNode]:
        return {n.name: n for n in self.nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)}

    @cached_property
    def calls(self) -> list[ast.Call]:
        return [n for n in self.nodes if isinstance(n, ast.Call)]

    @cached_property
    def strings(self) -> list[tuple[int, str]]:
        """Every string constant with its line, the constant parts of f-strings among them."""
        return [(n.lineno, n.value) for n in self.nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]

    @cached_property
    def comments(self) -> list[tuple[int, str]]:
        """Comments and docstrings with their lines."""
        out = []
        try:
            for token in tokenize.generate_tokens(io.StringIO(self.text).readline):
                if token.type == tokenize.COMMENT:
                    out.append((token.start[0], token.string.lstrip("# ")))
        except (tokenize.TokenError, IndentationError, SyntaxError):
            pass
        documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        for node in self.nodes:
            if isinstance(node, documented) and (text := ast.get_docstring(node)):
                out.append((getattr(node, "lineno", 1), text))
        return out

    @cached_property
    def imports(self) -> set[str]:
        """The last part of every imported module's name, and every name imported from one."""
        names = set()
        for node in self.nodes:
            if isinstance(node, ast.Import):
                names |= {alias.name.rsplit(".", 1)[-1] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names |= {(node.module or "").rsplit(".", 1)[-1], *(alias.name for alias in node.names)}
        return names

    @cached_property
    def called(self) -> set[str]:
        """The last part of every name that is called or passed on as a value."""
        names = {called_name(call).rsplit(".", 1)[-1] for call in self.calls}
        return names | {n.id for n in self.nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    @property
    def stem(self) -> str:
        return self.file.rsplit("/", 1)[-1].rsplit(".", 1)[0]

    @property
    def is_test(self) -> bool:
        """Whether it tests code rather than making results."""
        return bool(TEST_NAME.search(self.file)) and ("assert" in self.text or "unittest" in self.text)

    def at(self, node: ast.AST) -> Evidence:
        """Where a node stands."""
        line = getattr(node, "lineno", 1)
        return Evidence(file=self.file, line=line, quote=self.quote(line))

    def quote(self, line: int) -> str:
        return self.lines[line - 1].strip()[:200] if 0 < line <= len(self.lines) else ""

    def enclosing(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around a node, from the inside out."""
        while (above := self.parents.get(node)) is not None:
            yield above
            node = above

    def function_of(self, node: ast.AST) -> FunctionNode | None:
        """The function that a node stands in."""
        return next((n for n in self.enclosing(node) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)), None)


def called_name(call: ast.Call) -> str:
    """The dotted name of what is called; unknown parts are left out."""
    return dotted(call.func)


def dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        base = dotted(node.value)
        return f"{base}.{node.attr}" if base else node.attr
    if isinstance(node, ast.Call | ast.Subscript):
        return dotted(node.func if isinstance(node, ast.Call) else node.value)
    return ""


def read_modules(inventory: Inventory) -> tuple[list[Module], list[str]]:
    """All code that parses, each content once, and the names of the files that do not parse."""
    modules, broken = [], []
    known: set[str] = set()
    for file in inventory.of("code", "notebook"):
        if file.size > LARGEST and file.role == "code":
            broken.append(f"{file.name}: too large to be code")
            continue
        text = _notebook(file) if file.role == "notebook" else file.text
        if not text.strip() or text in known:
            continue
        known.add(text)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                modules.append(Module(file.name, text, ast.parse(text)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            broken.append(f"{file.name}: does not parse as Python; its code was not analysed")
    return modules, broken


def _notebook(file: File) -> str:
    """The code cells of a notebook, without the magic commands of its shell."""
    try:
        cells = json.loads(file.text).get("cells", [])
        code = ["".join(cell.get("source", "")) for cell in cells if cell.get("cell_type") == "code"]
    except (ValueError, AttributeError, TypeError):
        return ""
    return "\n".join(MAGIC.sub("pass", cell) for cell in code if not cell.startswith("%%"))


@dataclass(frozen=True)
class Program:
    """All modules of a folder, and how they use each other."""

    modules: tuple[Module, ...]

    @cached_property
    def called(self) -> set[str]:
        """Names that any module calls or passes on."""
        return set().union(*(m.called for m in self.modules)) if self.modules else set()

    @cached_property
    def imported(self) -> set[str]:
        return set().union(*(m.imports for m in self.modules)) if self.modules else set()

    @cached_property
    def uses(self) -> dict[str, list[tuple[Module, ast.Name]]]:
        """Every place where a name is read, by the name."""
        out: dict[str, list[tuple[Module, ast.Name]]] = {}
        for module in self.modules:
            for node in module.nodes:
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                    out.setdefault(node.id, []).append((module, node))
        return out

    @cached_property
    def text(self) -> str:
        return "\n".join(m.text for m in self.modules)

    @cached_property
    def functions(self) -> dict[str, list[tuple[Module, FunctionNode]]]:
        out: dict[str, list[tuple[Module, FunctionNode]]] = {}
        for module in self.modules:
            for name, node in module.functions.items():
                out.setdefault(name, []).append((module, node))
        return out

    def lives(self, module: Module, node: ast.AST) -> bool:
        """Whether a node can have run: not in a test, not in the self-test of a module that others import, and not
        in a function that nobody calls."""
        if module.is_test:
            return False
        for above in module.enclosing(node):
            if isinstance(above, ast.If) and _is_main(above.test) and module.stem in self.imported:
                return False
            if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef):
                in_class = isinstance(module.parents.get(above), ast.ClassDef)
                if above.name not in self.called and not (in_class and above.name.startswith("__")):
                    return False
        return True


def _is_main(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and "__name__" in ast.dump(test)
