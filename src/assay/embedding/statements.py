"""A text cut into statements, without parsing it as a whole.

A statement is here what the Python reference calls a logical line: a line, with the lines that continue it inside
brackets, inside a triple-quoted string or after a backslash. The head of a compound statement is one, and every
statement of its body is another; decorators stay with what they decorate. A piece is a statement that stands in no
other, with all that stands in it. Candidates of one run share nearly all of their pieces and, within a piece that
changed, nearly all of their statements: whoever counts by these counts little twice.

Any text can be cut, and in time that grows with its length only.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from assay.embedding.memory import remember

BLANK = " \t\f"
TOP_LEVEL = re.compile(r"\n(?=[^\W\d]|@)(?!(?:elif|else|except|finally)\b)")
"""Where a piece begins, unless something is still open."""
MARK = re.compile(r"""\"{3}|'{3}|"(?:[^"\\]|\\.)*+(?:"|\\$)?|'(?:[^'\\]|\\.)*+(?:'|\\$)?|\#|[()\[\]{}]|\\$""")
"""What decides whether something is still open at the end of a line."""
CLOSING = {
    '"""': re.compile(r'(?:[^\\]|\\.)*?"""'),
    "'''": re.compile(r"(?:[^\\]|\\.)*?'''"),
    '"': re.compile(r'(?:[^"\\]|\\.)*+(?:"|$)'),
    "'": re.compile(r"(?:[^'\\]|\\.)*+(?:'|$)"),
}
"""How an open string goes on to its end, which for a short one without a backslash is that of the line."""
TRIPLE = frozenset({'"""', "'''"})
NEVER_IN_BRACKETS = re.compile(
    r"\s*(?:assert|break|class|continue|def|del|global|import|nonlocal|pass|raise|return|try|while|with)\b"
)


class Open(NamedTuple):
    """What is still open at the end of a line."""

    brackets: int = 0
    quote: str = ""
    """That of an unfinished string, or the backslash that continues a line."""
    decorates: bool = False
    """There was a decorator: what it decorates is to come."""


NOTHING = Open()


class Cut(NamedTuple):
    """A text as statements."""

    statements: tuple[tuple[int, str], ...]
    """Every statement and every line of comment in order: its indentation, and its text without it."""
    still_open: Open
    """At the end of the text; NOTHING itself if the last statement is complete."""


def pieces(text: str) -> Iterator[str]:
    """The text cut before every statement that stands in no other. Only the line breaks between pieces are lost."""
    gathered: list[str] = []
    still_open = NOTHING
    for part in TOP_LEVEL.split(text.replace("\r\n", "\n")):
        if still_open is not NOTHING and not _forgotten(part, still_open):
            gathered.append(part)
            still_open = _open_at_end(part, still_open)
            continue
        if gathered:
            yield "\n".join(gathered)
        gathered = [part]
        still_open = cut(part).still_open
    yield "\n".join(gathered)


@remember(entries=1 << 12, longest=1 << 15)
def cut(piece: str) -> Cut:
    """The statements of a piece, or of any other text that begins with a whole one."""
    found: list[tuple[int, str]] = []
    gathered: list[str] = []
    indent, still_open = 0, NOTHING
    for line in piece.split("\n"):
        bare = line.lstrip(BLANK)
        if still_open is NOTHING or _forgotten(line, still_open):
            if gathered:
                found.append((indent, "\n".join(gathered)))
                gathered = []
            if not bare:
                continue
            indent, still_open = len(line) - len(bare), NOTHING
        # only in a string are blanks a part of the text
        gathered.append(line if still_open.quote else bare)
        still_open = _open_after(line, still_open)
    if gathered:
        found.append((indent, "\n".join(gathered)))
    return Cut(tuple(found), still_open)


def _forgotten(line: str, before: Open) -> bool:
    """Whether a bracket was never closed: it spoils no more than what comes before a keyword that none can hold."""
    return bool(before.brackets and not before.quote and NEVER_IN_BRACKETS.match(line))


def _open_at_end(text: str, before: Open) -> Open:
    for line in text.split("\n"):
        before = _open_after(line, NOTHING if _forgotten(line, before) else before)
    return before


@remember(entries=1 << 14, longest=1 << 10)
def _open_after(line: str, before: Open) -> Open:
    brackets, quote, decorates = before
    position = 0
    if quote in CLOSING:
        end = CLOSING[quote].match(line)
        if not end:
            return before
        position = end.end()
    elif not brackets and not quote:
        lead = line.lstrip(BLANK)[:1]
        decorates = lead == "@" or (decorates and lead in ("", "#"))
    while match := MARK.search(line, position):
        mark = match.group()
        position = match.end()
        if mark in "([{":
            brackets += 1
        elif mark in ")]}":
            brackets = max(brackets - 1, 0)
        elif mark == "#":
            break
        elif mark[-1] == "\\":
            return Open(brackets, mark[0], decorates)
        elif mark in TRIPLE:
            end = CLOSING[mark].match(line, position)
            if not end:
                return Open(brackets, mark, decorates)
            position = end.end()
    return Open(brackets, "", decorates) if brackets or decorates else NOTHING
