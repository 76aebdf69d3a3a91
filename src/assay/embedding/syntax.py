"""The syntax tree of a text, statement by statement: each is parsed alone, and knows the blocks that it stands in.

Of a text that is valid Python the nodes, with their parents and grandparents, are those in the tree of the whole text;
only the `try` of an `except*` counts as an ordinary one. Of any other text the statements count that can be parsed.
"""

import ast
import re
from collections.abc import Sequence
from typing import NamedTuple

Place = tuple[str, ...]
"""The kinds of the nodes in whose bodies a statement stands, the outermost first."""
Node = tuple[str, str, str]
"""The kinds of a node's grandparent, of its parent, and its own."""
Fields = frozenset[str]

MODULE: Place = ("Module", "Module")
"""Of a statement that stands in no other: the module is taken for its own parent."""
WORD = re.compile(r"\w+")
NO_FIELD: Fields = frozenset()
BODIES: Fields = frozenset({"body", "orelse", "handlers", "finalbody", "cases"})
UNSEEN: Fields = frozenset({"ctx", "op", "ops"})
"""Hold nodes without children that say nothing which the tokens do not say."""
COMPOUND = frozenset({"async", "class", "def", "for", "if", "while", "with", "@"})
CLAUSES = {
    "elif": ("if 0: 0\n", "orelse"),
    "else": ("if 0: 0\n", "orelse"),
    "except": ("try: 0\n", "handlers"),
    "finally": ("try: 0\n", "finalbody"),
}
"""What must stand before a clause so that it can be parsed, and the field in which it is then found."""
CASE = ("match 0:\n ", "cases")
ENDS = {
    "try": (("\n  0\nfinally: 0", BODIES), ("\nfinally: 0", frozenset({"finalbody"}))),
    "match": (("\n  case 0: 0", BODIES), ("", NO_FIELD)),
}
"""What to try behind a statement so that it can be parsed, and the fields that are then made up."""
HEAD_OR_WHOLE = (("\n  0", BODIES), ("", NO_FIELD))
WHOLE = (("", NO_FIELD),)


class Syntax(NamedTuple):
    """What one statement adds to the tree."""

    nodes: Sequence[Node]
    opens: Place | None
    """Where the statements of its body stand; None if it can have no body."""


class Blocks:
    """The blocks that are open on the way through a piece."""

    def __init__(self) -> None:
        self._open: list[tuple[int, Place]] = [(-1, MODULE)]

    def place(self, indent: int, text: str) -> Place:
        """Where the next statement stands. A clause such as `else` stands in the statement that it continues."""
        if text[0] == "#":
            # a comment may stand at any indentation and ends no block
            return self._open[-1][1]
        ended = MODULE
        while self._open[-1][0] >= indent:
            ended = self._open.pop()[1]
        if ended is not MODULE and _keyword(text) in CLAUSES:
            return ended[:-1] if ended[-1] == "ExceptHandler" else ended
        return self._open[-1][1]

    def enter(self, indent: int, place: Place) -> None:
        """From here on what is indented deeper stands at `place`."""
        self._open.append((indent, place))


def read(text: str, place: Place) -> Syntax:
    """One statement, as it stands at its place. No node if it cannot be parsed."""
    keyword = _keyword(text)
    before, field = CASE if keyword == "case" and place[-1] == "Match" else CLAUSES.get(keyword, ("", "body"))
    ends = ENDS.get(keyword) or (HEAD_OR_WHOLE if before or keyword in COMPOUND else WHOLE)
    parsed = ((_parse(before + text + after), made_up) for after, made_up in ends)
    tree, made_up = next((each for each in parsed if each[0]), (None, NO_FIELD))
    if tree is None:
        return Syntax((), None)
    tops: list[ast.AST] = getattr(tree.body[0] if before else tree, field)
    if keyword in ("else", "finally"):
        # such a clause has no node of its own
        return Syntax(() if made_up else _nodes(tops, place, made_up), place)
    can_have_body = bool(tops) and not BODIES.isdisjoint(tops[-1]._fields)
    return Syntax(_nodes(tops, place, made_up), (*place, type(tops[-1]).__name__) if can_have_body else None)


def _keyword(text: str) -> str:
    word = WORD.match(text)
    return word.group() if word else text[0]


def _parse(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _nodes(tops: Sequence[ast.AST], place: Place, made_up: Fields) -> list[Node]:
    waiting = [(place[-2], place[-1], top) for top in tops]
    found: list[Node] = []
    unseen = made_up | UNSEEN
    for grandparent, parent, node in waiting:
        kind = type(node).__name__
        if len(found) == len(tops):
            unseen = UNSEEN
        found.append((grandparent, parent, kind))
        for field in node._fields:
            if field in unseen:
                continue
            value = getattr(node, field, None)
            if isinstance(value, ast.AST):
                waiting.append((parent, kind, value))
            elif isinstance(value, list):
                waiting += [(parent, kind, child) for child in value if isinstance(child, ast.AST)]
    return found
