"""What a change is, in words: the model's own, held against the diff."""

import ast
import re
from difflib import SequenceMatcher

from assay.proposers.edits.checks import parse_python
from assay.tasks.candidate import Candidate

CODE_WORD = re.compile(r"`([^`\n]{2,80})`|\b([A-Za-z]\w*_\w+)\b")
WORD = re.compile(r"[A-Za-z_]\w*")
PLACES = 4


def describe(summary: str, parent: Candidate, child: Candidate) -> str:
    """The summary, followed by where the diff is, and by what the summary names that the diff does not show.

    A summary none of whose code words is in the diff is not of this change: the diff speaks in its place.
    """
    facts, words = _changes(parent, child)
    # `a.b(c)` is in the diff if each of its words is
    named = list(dict.fromkeys(quoted or bare for quoted, bare in CODE_WORD.findall(summary)))
    absent = [name for name in named if not set(WORD.findall(name)) <= words]
    if not summary or (named and len(absent) == len(named)):
        claim = f"; the proposer claims: {summary}" if summary else ""
        return f"changes {facts}{claim}"
    unseen = f"; not in the diff: {', '.join(absent)}" if absent else ""
    return f"{summary} [{facts}{unseen}]"


def _changes(parent: Candidate, child: Candidate) -> tuple[str, set[str]]:
    """Where the diff is, as `algorithm.py +12 -3 in fit, predict`, and all words on changed lines and their places."""
    facts, words = [], set[str]()
    for path in sorted(parent.files):
        old, new = parent.files[path], child.files[path]
        if old == new:
            continue
        before, after = old.split("\n"), new.split("\n")
        added: list[int] = []
        removed: list[int] = []
        for kind, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
            if kind != "equal":
                removed += range(a, b)
                added += range(c, d)
        places = _enclosing(new, added) or _enclosing(old, removed)
        lines = [*(after[i] for i in added), *(before[i] for i in removed), path, *places]
        words.update(word for line in lines for word in WORD.findall(line))
        shown = [*places[:PLACES], "..."] if len(places) > PLACES else places
        facts.append(f"{path} +{len(added)} -{len(removed)}{' in ' + ', '.join(shown) if shown else ''}")
    return "; ".join(facts), words


def _enclosing(text: str, lines: list[int]) -> list[str]:
    """Names of the top-level functions and classes that hold any of these lines (counted from 0), in order."""
    tree = parse_python(text)
    if isinstance(tree, str):
        return []
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and any(node.lineno <= line + 1 <= (node.end_lineno or node.lineno) for line in lines)
    ]
