"""Audits of research folders, as the page shows them."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from assay.judging.audit.audit import audit
from assay.judging.audit.model import PATTERNS, Audit, NumberVerdict
from assay.judging.material import research_in

LISTED = 400
"""Numbers of one folder that are listed, and as many claims; those that nothing backs come first. All are counted."""
EVIDENCE = 12
"""Places shown for one finding."""
QUOTE = 400
"""Characters of one quotation."""

ORDER = ("invented", "contradicted", "unbacked", "declared simulation", "derived", "backed")
"""Verdicts as they are listed: what is in doubt first."""


def audit_all(folders: Iterable[Path]) -> list[Audit]:
    """Audit every piece of research in these folders. Raises UsageError if one does not exist."""
    return [audit(each) for folder in folders for each in research_in(folder)]


def audit_data(audits: Iterable[Audit]) -> dict[str, Any]:
    """Plain data. Nothing is left out without being counted."""
    folders = [_folder(each) for each in sorted(audits, key=lambda done: (-done.score, done.folder))]
    return {"patterns": PATTERNS, "verdicts": ORDER, "folders": folders}


def _folder(done: Audit) -> dict[str, Any]:
    numbers = sorted(done.numbers, key=_doubt)
    claims = sorted(done.claims, key=lambda claim: ORDER.index(claim.verdict))
    return {
        "folder": done.folder,
        "verdict": done.verdict,
        "flagged": done.flagged,
        "score": done.score,
        "threshold": done.threshold,
        "findings": [
            {**finding.model_dump(exclude={"evidence"}), **_evidence(finding.evidence)} for finding in done.findings
        ],
        "counts": Counter(number.verdict for number in done.numbers),
        "numbers": [_quoted(each.model_dump()) for each in numbers[:LISTED]],
        "claimCounts": Counter(claim.verdict for claim in done.claims),
        "claims": [_quoted(each.model_dump()) for each in claims[:LISTED]],
        "seen": done.seen,
        "unseen": done.unseen,
    }


def _doubt(number: NumberVerdict) -> tuple[int, str, int]:
    return ORDER.index(number.verdict), number.where.file, number.where.line or 0


def _evidence(places: Iterable[Any]) -> dict[str, Any]:
    all_of_them = [_quoted(place.model_dump()) for place in places]
    return {"evidence": all_of_them[:EVIDENCE], "more": max(0, len(all_of_them) - EVIDENCE)}


def _quoted(value: Any) -> Any:
    """The same with every long text cut."""
    if isinstance(value, dict):
        return {key: _quoted(item) for key, item in value.items()}
    return value[: QUOTE - 1] + "…" if isinstance(value, str) and len(value) > QUOTE else value
