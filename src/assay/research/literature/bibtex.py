"""BibTeX, as far as bibliographies use it: entries with braced, quoted or bare values. Macros stay as they are."""

import re
from collections.abc import Iterable, Iterator

from assay.research.literature.paper import Paper

ENTRY = re.compile(r"@(\w+)\s*\{\s*([^,\s{}]+)\s*,")
FIELD = re.compile(r"\s*,?\s*([A-Za-z][\w-]*)\s*=\s*")
NO_PAPERS = {"comment", "preamble", "string"}
ACCENTS = {'"': "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", "c": "\u0327", "v": "\u030c"}


def read_bibtex(text: str) -> tuple[Paper, ...]:
    """Every entry with a title. What cannot be read is passed over: one broken entry must not cost the others."""
    papers = []
    for match in ENTRY.finditer(text):
        if match[1].lower() in NO_PAPERS:
            continue
        fields = dict(_fields(text, match.end()))
        if fields.get("title"):
            papers.append(_paper(match[2], fields))
    return tuple(papers)


def write_bibtex(papers: Iterable[Paper]) -> str:
    """The inverse of `read_bibtex`."""
    return "\n".join(_entry(paper) for paper in papers)


def _entry(paper: Paper) -> str:
    fields = {
        "title": paper.title,
        "author": " and ".join(paper.authors),
        "year": str(paper.year or ""),
        "journal": paper.venue,
        "doi": paper.doi,
        "eprint": paper.arxiv,
        "abstract": paper.abstract,
        "keywords": ", ".join(paper.keywords),
    }
    lines = [f"  {name} = {{{_unbraced(value)}}}" for name, value in fields.items() if value]
    return f"@misc{{{paper.key},\n" + ",\n".join(lines) + "\n}\n"


def _unbraced(value: str) -> str:
    return " ".join(value.replace("{", "").replace("}", "").split())


def _fields(text: str, position: int) -> Iterator[tuple[str, str]]:
    while match := FIELD.match(text, position):
        value, position = _value(text, match.end())
        yield match[1].lower(), _plain(value)


def _value(text: str, start: int) -> tuple[str, int]:
    """A value and where it ends."""
    opening = text[start : start + 1]
    if opening not in ("{", '"'):
        end = start
        while end < len(text) and text[end] not in ",}\n":
            end += 1
        return text[start:end], end
    depth = 0
    for end in range(start, len(text)):
        if text[end] == "{" and text[end - 1] != "\\":
            depth += 1
        elif text[end] == "}" and text[end - 1] != "\\":
            depth -= 1
        closed = depth == 0 and end > start and text[end] == ("}" if opening == "{" else '"')
        if closed:
            return text[start + 1 : end], end + 1
    return text[start + 1 :], len(text)


def _plain(value: str) -> str:
    """Without braces and commands; accents as letters."""
    import unicodedata

    def letter(match: re.Match[str]) -> str:
        return unicodedata.normalize("NFC", match[2] + ACCENTS[match[1]])

    value = re.sub(r"\\([\"'`^~])\s*\{?\\?([A-Za-z])\}?", letter, value)
    value = re.sub(r"\\([cv])\s*\{([A-Za-z])\}", letter, value)
    value = value.replace("``", "“").replace("''", "”").replace(r"\&", "&").replace("--", "–")
    return " ".join(value.replace("{", "").replace("}", "").split())


def _paper(key: str, fields: dict[str, str]) -> Paper:
    year = re.search(r"\d{4}", fields.get("year") or fields.get("date", ""))
    arxiv = re.search(r"\d{4}\.\d{4,5}", fields.get("eprint", "") or fields.get("url", ""))
    return Paper(
        key=key,
        title=fields["title"],
        authors=tuple(filter(None, (name.strip() for name in re.split(r"\s+and\s+", fields.get("author", ""))))),
        year=int(year[0]) if year else None,
        venue=fields.get("journal") or fields.get("booktitle", ""),
        doi=fields.get("doi", "").removeprefix("https://doi.org/"),
        arxiv=arxiv[0] if arxiv else "",
        abstract=fields.get("abstract", ""),
        keywords=tuple(filter(None, (word.strip() for word in fields.get("keywords", "").split(",")))),
    )
