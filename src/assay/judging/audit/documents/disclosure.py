"""What a report itself says of its results: that they, or parts of them, were simulated."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from assay.judging.audit.documents.read import Document
from assay.judging.audit.model import Evidence

Declared = Literal["results", "people", "component", "data"]

_MADE_UP = (
    r"(?:simulated|mocked|mock|placeholder|hypothetical|illustrative|fictitious|made-up|projected|dummy"
    r"|synthetically generated|synthetic)"
)
_OUTCOMES = (
    r"(?:results?|outcomes?|metrics?|numbers|values|scores?|performance|measurements?|accurac(?:y|ies)"
    r"|evaluations?|experiments?|outputs?|figures)"
)
RESULTS = re.compile(
    rf"\b{_MADE_UP}\s+(?:(?!data|benchmark|corpus|task|environment)\w+\s+){{0,2}}?{_OUTCOMES}\b"
    rf"|\b{_OUTCOMES}\b[^.;]{{0,60}}\b(?:are|were|is|was|being|been|have been)\s+(?:\w+ly\s+|all\s+"
    rf"|partly\s+)?{_MADE_UP}\b"
    r"|\bsimulation(?:-based)?\s+(?:study|studies|experiments?|results|framework|evaluation)\b|\b(?:in|by|through"
    r"|via|from) (?:a |our )?simulations?\b"
    r"|\bwe\s+(?:\w+\s+)?simulated?\s+(?:\w+\s+){0,4}?(?:results?|performance|training|experiments?"
    r"|metrics|evaluations?|responses?|outputs?|accurac|answers?)"
    r"|\b(?:not|never) (?:actually )?(?:run|executed|trained|measured)\b"
    r"|\bno (?:actual|real) (?:experiments?|training|models?) (?:was|were)\b"
    r"|\b(?:this|our|the) simulation\b",
    re.I,
)
PEOPLE = re.compile(
    r"\b(?:simulated|synthetic|virtual|artificial|fictitious|llm-?based|llm-?simulated|agent-based|modelled"
    r"|model-based|proxy)\s+(?:\w+\s+){0,2}?"
    r"(?:users?|participants?|annotators?|humans?|people|subjects?|feedback|raters?|experts?|personas?|reviewers?"
    r"|evaluators?|responses?|preferences?|stakeholders?)\b"
    r"|\bsimulat\w+\s+(?:\w+\s+){0,3}?(?:human|user|participant|annotator|people|feedback|preference)"
    r"|\b(?:participants?|users?|annotators?|raters?)\b[^.;]{0,40}\b(?:were|are|was)\s+simulated\b",
    re.I,
)
COMPONENT = re.compile(
    r"\b(?:mock(?:ed)?|simulated|random(?:ly)?[- ](?:assigned|generated|drawn|initiali[sz]ed)|dummy"
    r"|rule-based stand-in|stand-in|placeholder|synthetic)\s+(?:\w+\s+){0,2}?"
    r"(?:model|llm|verifier|oracle|judge|embeddings?|encoder|labels?|attributes?|groups?|demographics?"
    r"|annotations?|api|responses?|predictions?|features?)\b"
    r"|\b(?:labels?|attributes?|groups?|genders?|demographics?|embeddings?)\b[^.;]{0,50}\b(?:assigned|drawn"
    r"|sampled|generated|chosen)\s+(?:uniformly\s+)?(?:at random|randomly)\b"
    r"|\brandomly\s+(?:assigned|drawn|sampled|generated)\b",
    re.I,
)
DATA = re.compile(
    r"\b(?:synthetic|simulated|generated|toy|artificial)\s+(?:\w+\s+){0,2}?(?:data|datasets?|corpus|samples|tasks?"
    r"|benchmarks?|environments?)\b",
    re.I,
)
NEGATED = re.compile(r"\b(?:no|not|without|never|rather than|instead of|avoid\w*|un)\W+(?:\w+\W+){0,2}$", re.I)
PLANNED = re.compile(
    r"\b(future work|future research|in the future|we plan|could be|would be|should be|might|may)\b", re.I
)
EXPRESSIONS: dict[Declared, re.Pattern[str]] = {
    "results": RESULTS,
    "people": PEOPLE,
    "component": COMPONENT,
    "data": DATA,
}


@dataclass(frozen=True)
class Disclosures:
    """What the reports declare, with the sentence that does."""

    found: dict[Declared, Evidence]

    def covers(self, *kinds: Declared) -> Evidence | None:
        """The sentence that declares one of these, if any does."""
        return next((self.found[kind] for kind in kinds if kind in self.found), None)


def disclosures(documents: Iterable[Document]) -> Disclosures:
    """What the reader is told. Where there is a paper it must say so itself: what another file says does not count."""
    documents = list(documents)
    papers = [d for d in documents if d.is_paper]
    found: dict[Declared, Evidence] = {}
    for kind in EXPRESSIONS:
        telling = {d.file: e for d in documents if (e := _first(d, kind))}
        of_papers = [telling[d.file] for d in papers if d.file in telling]
        if of_papers or (telling and not papers):
            found[kind] = (of_papers or list(telling.values()))[0]
    return Disclosures(found)


def _first(document: Document, kind: Declared) -> Evidence | None:
    for sentence in document.sentences:
        if re.search(r"related work|references|future|background", sentence.section):
            continue
        for match in EXPRESSIONS[kind].finditer(sentence.text):
            before = sentence.text[: match.start()]
            if not NEGATED.search(before) and not PLANNED.search(sentence.text):
                return Evidence(file=document.file, line=sentence.line, quote=sentence.text[:240])
    return None
