"""The tree that is put together from single statements, against the parser's own tree of the whole text."""

import ast
from collections import Counter
from pathlib import Path

import pytest

import assay
from assay.embedding.statements import cut, pieces
from assay.embedding.syntax import Blocks, Node, read

EVERY_CLAUSE = '''
"""Text
at the margin."""
async def f(a, *b: int, c=lambda: 0, **d) -> None:
    async with a as b, c:
        return [x async for x in y if x]
    async for x in y: pass
    else: await z
for i in j:
    while True:
        if i: break
        elif j == k:
            continue
        elif l: pass; del m
# a comment at the margin
        else:
            global n
    else:
        match = case = 1
else: x[1:2, ...] = -y if not z else w
try: import q
except (A, B) as e: raise C from e
except D:
    pass
else:
    pass
finally: x @= 1
try:
    try_this(f"{x!r:>{width}}" 'and' \\
        """more""")
finally:
    match x:
        case [1, *rest] if rest:
            case = {**rest}
        case {"a": b} | C(d=e):
            pass
        case _: return
@decorated(
    by=this
)
# and commented
@twice
class A(B, metaclass=C):
    """Documented."""

    x: int = 1
    @property
    def y(self): return self.x
'''
OWN = [path for path in sorted(Path(assay.__file__).parent.rglob("*.py")) if path.stat().st_size > 5000]


def together(text: str) -> Counter[Node]:
    found: Counter[Node] = Counter()
    for piece in pieces(text):
        blocks = Blocks()
        for indent, statement in cut(piece).statements:
            nodes, opens = read(statement, blocks.place(indent, statement))
            found.update(nodes)
            if opens:
                blocks.enter(indent, opens)
    return found


def at_once(text: str) -> Counter[Node]:
    waiting: list[tuple[str, str, ast.AST]] = [("Module", "Module", node) for node in ast.parse(text).body]
    found: Counter[Node] = Counter()
    for grandparent, parent, node in waiting:
        kind = type(node).__name__
        found[grandparent, parent, kind] += 1
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.expr_context | ast.operator | ast.boolop | ast.unaryop | ast.cmpop):
                waiting.append((parent, kind, child))
    return found


def test_every_clause_of_the_grammar() -> None:
    assert together(EVERY_CLAUSE) == at_once(EVERY_CLAUSE)


@pytest.mark.parametrize("path", OWN[::4], ids=lambda path: path.stem)
def test_real_files(path: Path) -> None:
    text = path.read_text()
    assert together(text) == at_once(text)


def test_what_cannot_be_parsed_costs_nothing_else() -> None:
    valid = "def f(x):\n    if x:\n        y = 1\n    return y\n"
    lost = at_once(valid) - together(valid.replace("y = 1", "y = = 1"))
    assert set(lost) == {("FunctionDef", "If", "Assign"), ("If", "Assign", "Name"), ("If", "Assign", "Constant")}
