"""What must hold of a file after an edit, before it is worth an evaluation."""

import ast
import json
import re
import tomllib
import warnings
from collections.abc import Collection, Iterable

ELLIPSIS = re.compile(r"\.\.\.|…")
LEFT_OUT = re.compile(
    r"\b(?:rest|remaining|remainder|existing|previous|original|unchanged|same|other|omitted|elided)\b", re.IGNORECASE
)
SAYS_SO = re.compile(
    r"\b(?:rest|remaining|remainder|everything else|other \w+)\b.*\b(?:unchanged|the same|as before|as is|omitted)\b"
    r"|\b(?:omitted for brevity|unchanged code|existing code|code unchanged|same as (?:before|above|original))\b",
    re.IGNORECASE,
)
COMMENT = re.compile(r"^\s*(?:#|//|;)(.*)$")


def check_file(path: str, old: str, new: str, required: Collection[str], limit: int) -> list[str]:
    """Sentences that say what is wrong with the new text of a file; none if it is sound. Never raises."""
    if len(new) > limit:
        return [f"{path} is {len(new)} characters long; at most {limit} are allowed"]
    try:
        new.encode()
    except UnicodeEncodeError:
        return [f"{path} holds characters that are not valid Unicode text"]
    if elided := _elisions(old, new):
        return [f"{path} leaves code out ({elided[0].strip()[:100]!r}): write every line that the file shall have"]
    if path.endswith(".py"):
        return _check_python(path, old, new, required)
    return _check_data(path, new)


def parse_python(text: str) -> ast.Module | str:
    """The syntax tree, or a sentence that says why there is none. Never raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        return f"line {error.lineno}: {error.msg}"
    except (ValueError, RecursionError, MemoryError) as error:
        return str(error) or "too deeply nested"


def same_program(old: str, new: str, path: str) -> bool:
    """Whether an edit leaves a file doing what it did: the same text or, in Python, the same but for comments."""
    if old == new:
        return True
    if not path.endswith(".py"):
        return False
    before, after = parse_python(old), parse_python(new)
    if isinstance(before, str) or isinstance(after, str):
        return False
    try:
        return ast.dump(before) == ast.dump(after)
    except RecursionError:
        return False


def defined_names(tree: ast.Module) -> set[str]:
    """Names that importing the module gives, also where an `if`, `try` or `with` stands around them."""
    return set(_names(tree.body))


def _names(body: Iterable[ast.stmt]) -> Iterable[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Import | ast.ImportFrom):
            yield from ((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from (n.id for target in targets for n in ast.walk(target) if isinstance(n, ast.Name))
        elif isinstance(node, ast.If | ast.Try | ast.With | ast.For | ast.While):
            yield from _names(node.body)
            yield from _names(getattr(node, "orelse", []))
            yield from _names(getattr(node, "finalbody", []))
            for handler in getattr(node, "handlers", []):
                yield from _names(handler.body)


def _check_python(path: str, old: str, new: str, required: Collection[str]) -> list[str]:
    tree = parse_python(new)
    if isinstance(tree, str):
        return [f"{path} is not valid Python: {tree}"]
    missing = sorted(set(required) - defined_names(tree))
    if missing:
        return [f"{path} no longer defines {', '.join(missing)}, which the task calls"]
    before = parse_python(old)
    emptied = sorted(_hollow(tree) - (set() if isinstance(before, str) else _hollow(before)))
    return [f"{path}: the body of {', '.join(emptied)} is only '...': write it out"] if emptied else []


def _hollow(tree: ast.Module) -> set[str]:
    """Functions whose body is `...` and nothing else but a docstring."""
    return {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and isinstance(last := node.body[-1], ast.Expr)
        and isinstance(last.value, ast.Constant)
        and last.value.value is ...
    }


def _elisions(old: str, new: str) -> list[str]:
    """Comment lines of the new text, not in the old one, that stand for code which is not there."""
    known = {line.strip() for line in old.split("\n")}
    found = []
    for line in new.split("\n"):
        comment = COMMENT.match(line[:500])
        if comment and line.strip() not in known:
            said = comment.group(1)
            if (ELLIPSIS.search(said) and LEFT_OUT.search(said)) or SAYS_SO.search(said):
                found.append(line)
    return found


def _check_data(path: str, text: str) -> list[str]:
    try:
        if path.endswith(".json"):
            json.loads(text)
        elif path.endswith(".toml"):
            tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        return [f"{path} cannot be read: {error}"]
    return []
