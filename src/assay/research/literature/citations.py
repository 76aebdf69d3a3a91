"""Citations as `[@key]`. The list of references is made from the library's entries, so no identifier is an agent's."""

import re
from collections.abc import Iterable

from assay.research.literature.paper import Paper

GROUP = re.compile(r"\[((?:@[\w:./+-]*\w[,;]?\s*)+)\]")
KEY = re.compile(r"@([\w:./+-]*\w)")
HEADING = re.compile(
    r"^#{1,6}[ \t]*(?:\d+\.?[ \t]*)?(?:references|bibliography)[ \t]*:?[ \t]*$", re.IGNORECASE | re.MULTILINE
)
UNKNOWN = "[citation not in the library]"


def cited(text: str) -> tuple[str, ...]:
    """The keys in order of their first mention, each once."""
    return tuple(dict.fromkeys(key for group in GROUP.findall(text) for key in KEY.findall(group)))


def with_references(text: str, papers: Iterable[Paper]) -> tuple[str, tuple[str, ...]]:
    """The text with its list of references, and the keys that no library knows, which are marked where they stand.

    A list that the text brought along is dropped: it was written from memory.
    """
    known = {paper.key: paper for paper in papers}
    heading = HEADING.search(text)
    body = text[: heading.start()] if heading else text
    unknown = tuple(key for key in cited(body) if key not in known)
    body = GROUP.sub(lambda match: _checked(match[1], known), body).rstrip()
    used = [known[key] for key in cited(body)]
    if not used:
        return body + "\n", unknown
    lines = [f"- [@{paper.key}] {paper.line}" for paper in used]
    return f"{body}\n\n## References\n\n" + "\n".join(lines) + "\n", unknown


def _checked(group: str, known: dict[str, Paper]) -> str:
    keys = KEY.findall(group)
    kept = [f"@{key}" for key in keys if key in known]
    return (f"[{'; '.join(kept)}]" if kept else "") + (UNKNOWN if len(kept) < len(keys) else "")
