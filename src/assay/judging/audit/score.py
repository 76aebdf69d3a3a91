"""From findings to a verdict for the whole."""

from collections.abc import Iterable, Sequence

from assay.judging.audit.documents.disclosure import Declared, Disclosures
from assay.judging.audit.model import THRESHOLD, Finding, NumberVerdict, Verdict

CLEARED: dict[str, tuple[Declared, ...]] = {
    "P1": ("results",),
    "P2": ("results",),
    "P3": ("results", "component"),
    "P4": ("results",),
    "P6": ("results", "component", "people"),
    "P9": ("people",),
    "P14": ("component", "data", "people"),
    "P15": ("results", "component"),
    "P16": ("results",),
}
"""What a report must declare for a pattern to be no fabrication. A forged log, a filled gap and a false claim cannot be
declared away."""


def declare(findings: Iterable[Finding], declared: Disclosures) -> list[Finding]:
    """The findings, those that the reports themselves declare without weight."""
    out = []
    for finding in findings:
        said = declared.covers(*CLEARED.get(finding.pattern, ()))
        if said is None:
            out.append(finding)
        else:
            evidence = (*finding.evidence, said)
            out.append(
                finding.model_copy(update={"weight": 0.0, "verdict": "declared simulation", "evidence": evidence})
            )
    return out


def score(findings: Iterable[Finding]) -> float:
    """The chance that at least one finding is right, if each is with its weight. One pattern counts once, and so does
    all that a judge added: it is one opinion."""
    heaviest: dict[str, float] = {}
    for finding in findings:
        key = finding.pattern if finding.source == "audit" else finding.source
        heaviest[key] = max(heaviest.get(key, 0.0), finding.weight)
    clean = 1.0
    for weight in heaviest.values():
        clean *= 1 - weight
    return round(1 - clean, 4)


def verdict(findings: Sequence[Finding], numbers: Sequence[NumberVerdict], total: float) -> Verdict:
    """The whole in a word: of a flagged folder what its heaviest finding says, else what most of its numbers are."""
    if total >= THRESHOLD:
        return max(findings, key=lambda f: f.weight).verdict
    if any(f.verdict == "declared simulation" for f in findings):
        return "declared simulation"
    counts: dict[Verdict, int] = {}
    for number in numbers:
        counts[number.verdict] = counts.get(number.verdict, 0) + 1
    return max(counts, key=lambda v: counts[v]) if counts else "unbacked"
