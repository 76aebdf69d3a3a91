"""A Python source with its syntax tree and the exact place of every node in the text."""

import ast
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate


@dataclass(frozen=True)
class Splice:
    """Replace the bytes from `start` to `end` by `text`. Equal `start` and `end` insert."""

    start: int
    end: int
    text: str


class Source:
    """Immutable. Offsets are in UTF-8 bytes, as those of `ast` are."""

    def __init__(self, text: str) -> None:
        """Raises SyntaxError, ValueError, RecursionError or MemoryError for text that is not Python."""
        self.text = text
        self.tree = ast.parse(text)
        # compiled from the tree, because parsing does not find a `return` outside a function or a name used twice
        compile(self.tree, "<candidate>", "exec", dont_inherit=True)
        self._bytes = text.encode()
        self._names: dict[ast.AST, tuple[ast.Name, ...]] = {}

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(self.tree))

    @cached_property
    def aliases(self) -> frozenset[str]:
        """Every name an import binds, wherever it stands."""
        return frozenset(_imported(self.nodes))

    @cached_property
    def attributes(self) -> frozenset[str]:
        """Every name read after a dot."""
        return frozenset(node.attr for node in self.nodes if isinstance(node, ast.Attribute))

    @cached_property
    def keywords(self) -> frozenset[str]:
        """Every name an argument is passed by."""
        return frozenset(node.arg for node in self.nodes if isinstance(node, ast.keyword) and node.arg)

    @cached_property
    def _parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    @cached_property
    def _lines(self) -> list[int]:
        """Where each line begins, and the end of the text."""
        return [0, *accumulate(map(len, self._bytes.splitlines(keepends=True)))]

    def parent(self, node: ast.AST) -> ast.AST | None:
        return self._parents.get(node)

    def start(self, node: ast.AST) -> int:
        return self._lines[_line(node) - 1] + _column(node)

    def end(self, node: ast.AST) -> int:
        return self._lines[_end_line(node) - 1] + _end_column(node)

    def segment(self, node: ast.AST) -> str:
        return self.between(self.start(node), self.end(node))

    def between(self, start: int, end: int) -> str:
        return self._bytes[start:end].decode()

    def line_start(self, node: ast.AST) -> int:
        """Where the node's first line begins."""
        return self._lines[_line(node) - 1]

    def next_line(self, node: ast.AST) -> int:
        """Where the line after the node's last begins; the end of the text if there is none."""
        return self._lines[min(_end_line(node), len(self._lines) - 1)]

    def alone_on_its_lines(self, node: ast.AST) -> bool:
        """Whether nothing but blanks and a comment shares the node's lines: only then can they be moved."""
        before = self.between(self.line_start(node), self.start(node))
        after = self.between(self.end(node), self.next_line(node)).strip()
        return not before.strip() and (not after or after.startswith("#"))

    def replace(self, node: ast.AST, text: str) -> Splice:
        return Splice(self.start(node), self.end(node), text)

    def where(self, node: ast.AST) -> str:
        """The function and class around a node, for example `Adam.update`; empty at the top level."""
        names: list[str] = []
        above = self.parent(node)
        while above is not None:
            if isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                names.append(above.name)
            above = self.parent(above)
        return ".".join(reversed(names))

    def scope(self, node: ast.AST) -> ast.AST:
        """The innermost function around a node, or the module."""
        above = self.parent(node)
        while above is not None and not isinstance(above, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            above = self.parent(above)
        return above or self.tree

    def names(self, scope: ast.AST) -> tuple[ast.Name, ...]:
        """Every name read or bound anywhere inside a function."""
        if scope not in self._names:
            self._names[scope] = tuple(n for n in ast.walk(scope) if isinstance(n, ast.Name))
        return self._names[scope]

    def spliced(self, splices: Iterable[Splice]) -> str:
        """The text after the splices, which must not overlap."""
        result = self._bytes
        for splice in sorted(splices, key=lambda s: (s.start, s.end), reverse=True):
            result = result[: splice.start] + splice.text.encode() + result[splice.end :]
        return result.decode()

    def import_splice(self, module: str, name: str) -> tuple[Splice, ...]:
        """What makes `name` of `module` known in this source; nothing where it already is."""
        if name in self.aliases:
            return ()
        place = 0
        for number, node in enumerate(self.tree.body):
            docstring = number == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            if docstring or isinstance(node, ast.Import | ast.ImportFrom):
                place = self.next_line(node)
        opening = "" if place == 0 or self.between(place - 1, place) in "\r\n" else "\n"
        return (Splice(place, place, f"{opening}from {module} import {name}\n"),)


@lru_cache(maxsize=64)
def read(text: str) -> Source | None:
    """The source of a text, or None if it is not valid Python. Remembered, because parents are edited many times."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)
            source = Source(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return source


def defined_names(tree: ast.Module) -> frozenset[str]:
    """Names that the top level of a module binds."""
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        else:
            names.update(_imported([node]))
            names.update(n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
    return frozenset(names)


def defaulted(arguments: ast.arguments, node: ast.AST) -> str:
    """The name of the parameter that a default belongs to."""
    plain = [*arguments.posonlyargs, *arguments.args]
    pairs = [*zip(reversed(plain), reversed(arguments.defaults), strict=False)]
    pairs += [(a, d) for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if d is not None]
    return next((a.arg for a, d in pairs if d is node), "parameter")


def _imported(nodes: Iterable[ast.AST]) -> Iterable[str]:
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name.split(".")[0]


def _line(node: ast.AST) -> int:
    """A decorated function or class begins at its first decorator."""
    decorators = getattr(node, "decorator_list", None)
    return int(min([node.lineno, *(d.lineno for d in decorators)])) if decorators else int(node.lineno)  # type: ignore[attr-defined]


def _column(node: ast.AST) -> int:
    return int(node.col_offset)  # type: ignore[attr-defined]


def _end_line(node: ast.AST) -> int:
    return int(node.end_lineno)  # type: ignore[attr-defined]


def _end_column(node: ast.AST) -> int:
    return int(node.end_col_offset)  # type: ignore[attr-defined]
