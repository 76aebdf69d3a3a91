"""A bibliography file as a library: BibTeX, or JSON with a list of papers."""

import json
import math
import re
from collections import Counter
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from assay.errors import UsageError
from assay.research.literature.bibtex import read_bibtex
from assay.research.literature.paper import Paper

PAPERS = TypeAdapter(tuple[Paper, ...])
COMMON = re.compile(
    r"an?|and|are|as|at|be|by|do(es)?|for|from|how|in|is|it|more|of|on|one|or|than|that|the|to|when|with"
)
"""Words that every text has."""


class LocalLibrary:
    """Papers ranked by the words they share with a query; rare words count more, and titles twice."""

    def __init__(self, papers: tuple[Paper, ...], name: str) -> None:
        self.name = name
        self._papers = papers
        self._words = [_words(f"{p.title} {p.title} {p.abstract} {' '.join(p.keywords)}") for p in papers]
        self._holders = Counter(word for words in self._words for word in words)

    def search(self, query: str, limit: int) -> tuple[Paper, ...]:
        wanted = _words(query)
        scores = [sum(self._worth(word) * math.sqrt(words[word]) for word in wanted) for words in self._words]
        order = sorted(range(len(scores)), key=lambda i: (-scores[i], self._papers[i].key))
        return tuple(self._papers[i] for i in order[:limit] if scores[i] > 0)

    def _worth(self, word: str) -> float:
        return math.log(1 + len(self._papers) / (1 + self._holders[word]))


def read_bibliography(file: Path) -> tuple[Paper, ...]:
    """Raises UsageError if the file is not there or holds no paper."""
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{file} cannot be read: {error}", "--literature takes a .bib or .json file") from None
    papers = _from_json(text, file) if file.suffix.lower() == ".json" else read_bibtex(text)
    if not papers:
        raise UsageError(f"{file} holds no paper", 'write BibTeX entries, or JSON: [{"key": …, "title": …}, …]')
    return papers


def _from_json(text: str, file: Path) -> tuple[Paper, ...]:
    try:
        return PAPERS.validate_python(json.loads(text))
    except (ValueError, ValidationError) as error:
        raise UsageError(
            f"{file} is not a list of papers: {error}", f"fields of a paper: {', '.join(Paper.model_fields)}"
        ) from None


def _words(text: str) -> Counter[str]:
    found = (word.removesuffix("s") for word in re.findall(r"[^\W\d_]{2,}", text.lower()))
    return Counter(word for word in found if not COMMON.fullmatch(word))
