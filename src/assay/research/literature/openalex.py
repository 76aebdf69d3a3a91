"""OpenAlex, an open index of papers, over its public interface."""

import json
import os
import re
import urllib.parse
import urllib.request
from collections.abc import Mapping
from typing import Any

from assay.errors import AssayError
from assay.research.literature.paper import Paper

ADDRESS = "https://api.openalex.org"
KEY_VARIABLE = "OPENALEX_API_KEY"
SECONDS = 30.0
MOST_BYTES = 8 * 2**20
FIELDS = "id,display_name,authorships,publication_year,primary_location,doi,abstract_inverted_index"


class OpenAlex:
    """Asks once a query and never again by itself. The key, if there is one, leaves this process to OpenAlex alone."""

    name = "OpenAlex"

    def __init__(self, address: str = ADDRESS) -> None:
        self._address = address

    def search(self, query: str, limit: int) -> tuple[Paper, ...]:
        """Raises AssayError if the index does not answer or its answer cannot be read."""
        parameters = {"search": " ".join(re.findall(r"\w+", query)), "per-page": str(limit), "select": FIELDS}
        if key := os.environ.get(KEY_VARIABLE, "").strip():
            parameters["api_key"] = key
        url = f"{self._address}/works?{urllib.parse.urlencode(parameters)}"
        try:
            with urllib.request.urlopen(url, timeout=SECONDS) as answer:
                found = json.loads(answer.read(MOST_BYTES))["results"]
            return tuple(_paper(work) for work in found if work.get("display_name"))
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            # not the address, which may hold the key
            raise AssayError(
                f"OpenAlex gave no usable answer: {error}",
                f"try again, set {KEY_VARIABLE}, or use a bibliography of your own: --literature FILE.bib",
            ) from None


def _paper(work: Mapping[str, Any]) -> Paper:
    authors = [str(entry["author"]["display_name"]) for entry in work.get("authorships") or () if entry.get("author")]
    place = ((work.get("primary_location") or {}).get("source") or {}).get("display_name") or ""
    doi = str(work.get("doi") or "").removeprefix("https://doi.org/")
    arxiv = re.search(r"arxiv\.(\d{4}\.\d{4,5})", doi, re.IGNORECASE)
    return Paper(
        key=str(work["id"]).rsplit("/", 1)[-1],
        title=str(work["display_name"]),
        authors=tuple(_family_first(name) for name in authors),
        year=work.get("publication_year"),
        venue=str(place),
        doi=doi,
        arxiv=arxiv[1] if arxiv else "",
        abstract=_abstract(work.get("abstract_inverted_index") or {}),
    )


def _family_first(name: str) -> str:
    first, _, family = name.rpartition(" ")
    return f"{family}, {first}" if first else name


def _abstract(index: Mapping[str, list[int]]) -> str:
    """OpenAlex gives each word with its places."""
    placed = sorted((place, word) for word, places in index.items() for place in places)
    return " ".join(word for _, word in placed)
