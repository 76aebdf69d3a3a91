"""References that cannot exist: identifiers that are malformed, from the future, or counted out on the keyboard."""

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from assay.judging.audit.case import Case
from assay.judging.audit.model import ClaimVerdict, Evidence, Finding

ARXIV = re.compile(
    r"arxiv(?:\.org/(?:abs|pdf)/|\s*(?:preprint\s*)?(?:arxiv)?\s*[:\s]\s*)(\d{2,4}\.\d{3,6})(?!\d)", re.I
)
DOI = re.compile(r"\bdoi(?:\.org/|:\s*)(\S+?)(?=[\s)\]},;]|$)", re.I)
RUNS = re.compile(r"01234|12345|23456|34567|45678|56789|67890|98765|87654|76543|54321|(\d)\1{4}")
PLACEHOLDER = re.compile(r"XXXX|x{4,}|\?{3,}|\d{4}\.0{4,5}\b", re.I)


def check(case: Case) -> Iterator[Finding | ClaimVerdict]:
    bad: list[tuple[Evidence, str]] = []
    good = 0
    for document in case.documents:
        for number, line in enumerate(document.text.splitlines(), start=1):
            for identifier, why in _identifiers(line):
                if why:
                    bad.append(
                        (Evidence(file=document.file, line=number, quote=line.strip()[:240]), f"{identifier}: {why}")
                    )
                else:
                    good += 1
    for evidence, why in bad:
        yield ClaimVerdict(text=evidence.quote, where=evidence, verdict="invented", how=why)
    if bad:
        yield Finding(
            pattern="citation",
            verdict="invented",
            weight=0.1 if len(bad) < 3 else 0.2,
            message=f"{len(bad)} of {len(bad) + good} identifiers cannot be right: {bad[0][1]}",
            evidence=tuple(e for e, _ in bad[:4]),
        )


def _identifiers(line: str) -> Iterator[tuple[str, str]]:
    """Each identifier of a line with what is wrong with it; empty if nothing is."""
    for match in ARXIV.finditer(line):
        yield match[1], arxiv_problem(match[1])
    for match in DOI.finditer(line):
        yield (
            match[1],
            ""
            if re.match(r"10\.\d{4,9}/\S{2,}", match[1]) and not PLACEHOLDER.search(match[1])
            else "not the form of a DOI",
        )
    if re.search(r"arxiv", line, re.I) and PLACEHOLDER.search(line):
        yield "arXiv", "a placeholder"


def arxiv_problem(identifier: str) -> str:
    """What is wrong with an arXiv identifier, by its form alone; empty if nothing is."""
    month, _, serial = identifier.partition(".")
    if len(month) != 4:
        return "not four digits before the point"
    year, of_year = int(month[:2]), int(month[2:])
    now = datetime.now(UTC)
    if not 1 <= of_year <= 12:
        return "no such month"
    if (2000 + year, of_year) > (now.year, now.month):
        return "from the future"
    if (year, of_year) < (7, 4):
        return "older than the numbering"
    # numbers had four digits until December 2014
    if len(serial) != (5 if year >= 15 else 4):
        return "a serial of the wrong length"
    return "a serial counted out on the keyboard" if RUNS.search(serial) and len(serial) == 5 else ""
