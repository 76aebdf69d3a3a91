"""Text that a reader would not see: found, and made visible before a judge reads it.

A paper can carry instructions for its judge in comments, in white on white, in letters without width. A judge that
sees them as what they are, hidden passages quoted as such, can hold them against the paper instead of following them.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import partial

_INVISIBLE = re.compile(
    "[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\U000e0000-\U000e007f]+"
)
_PATTERNS = (
    ("comment", re.compile(r"<!--(.*?)-->", re.DOTALL)),
    (
        "comment",
        re.compile(r"(?m)^\s*%([^\n]*\b(?:ignore|score|review|rate|judge|instruct)\w*\b[^\n]*)$", re.I),
    ),
    ("comment", re.compile(r"(?m)^\[(?://|comment)\]:\s*#\s*[(\"'](.*?)[)\"']\s*$")),
    (
        "hidden by style",
        re.compile(
            r"<(\w+)[^>]*style\s*=\s*[\"'][^\"']*(?:color\s*:\s*(?:white|#fff(?:fff)?|transparent)\b|display\s*:\s*none"
            r"|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?:\D|$))[^\"']*[\"'][^>]*>(.*?)</\1>",
            re.DOTALL | re.I,
        ),
    ),
    ("hidden by attribute", re.compile(r"<(\w+)[^>]*\shidden(?:\s[^>]*)?>(.*?)</\1>", re.DOTALL | re.I)),
    ("white on white", re.compile(r"\\(?:textcolor|color)\s*(?:\[[^\]]*\])?\{white\}\s*\{?([^{}\n]*)\}?", re.I)),
    ("not printed", re.compile(r"\\(?:phantom|hphantom|vphantom)\{([^{}]*)\}")),
    ("alternative text", re.compile(r"!\[([^\]]{80,})\]\(")),
)


def reveal(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with every hidden passage shown as such, and those passages. Text without any is returned as it is."""
    found: list[str] = []

    def shown(kind: str, passage: str) -> str:
        found.append(f"{kind}: {' '.join(passage.split())[:300]}")
        return f"⟦hidden passage, {kind}: {passage}⟧"

    for kind, pattern in _PATTERNS:
        text = pattern.sub(partial(_shown_match, shown, kind), text)
    if _INVISIBLE.search(text):
        text = _INVISIBLE.sub(lambda match: shown("letters without width", _spelled(match.group())), text)
    return text, tuple(found)


def _shown_match(shown: Callable[[str, str], str], kind: str, match: re.Match[str]) -> str:
    return shown(kind, match.group(match.lastindex or 0))


def _spelled(letters: str) -> str:
    """Invisible letters by name; the tag alphabet, in which whole sentences can be written, as those sentences."""
    tags = "".join(chr(ord(c) - 0xE0000) for c in letters if 0xE0020 <= ord(c) <= 0xE007E)
    return tags or " ".join(_names(letters))


def _names(letters: str) -> Iterator[str]:
    for letter in dict.fromkeys(letters):
        yield unicodedata.name(letter, f"U+{ord(letter):04X}")
