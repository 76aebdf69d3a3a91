"""P11: what the text claims against what the tables show."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.judging.audit.case import Case
from assay.judging.audit.documents.read import Document, Sentence
from assay.judging.audit.documents.tables import numbers_in
from assay.judging.audit.model import ClaimVerdict, Evidence, Finding, Verdict
from assay.judging.audit.sources.values import Printed
from assay.judging.audit.tracing import changes

GAIN = re.compile(
    r"\b(improv\w*|outperform\w*|reduc\w*|increas\w*|decreas\w*|gain\w*|faster|speed-?ups?|higher|lower|boost\w*"
    r"|surpass\w*|exceed\w*|achiev\w*|reach\w*|attain\w*|cut\w*|sav(?:es|ings?)|drop\w*|fewer|better|accelerat\w*"
    r"|obtain\w*)\b",
    re.I,
)
OTHERS = re.compile(
    r"\[\d+(?:,\s*\d+)*\]|\bet al|\(\w+,? (?:19|20)\d\d\)|\\cite|prior work|previous(?:ly)? (?:work|studies"
    r"|reported)|reported by|in the literature",
    re.I,
)
NOT_RESULT = re.compile(
    r"\b(learning rate|batch|epochs?|dropout|p\s*[<=>]|confidence|threshold|split|train(?:ing)? set"
    r"|% of (?:the )?(?:data|samples|labels|training)|alpha|lambda|temperature|seeds?|weight decay|budget|target"
    r"|would|could|expect\w*|future|hypothesi[sz]\w*|aims?|goal|predict that|chance|random guess\w*"
    r"|significance level|quantile|percentile|interval|noise level|at least|up to \d+ tokens"
    r"|confidence interval)\b|\bCI\b|[<>≤≥]\s*\d",
    re.I,
)
HEADLINE = re.compile(r"abstract|conclu|introduction|summary|contribution|key finding|discussion|findings|^$", re.I)
RESULTS = re.compile(r"result|analysis|experiment|evaluation|performance|comparison|ablation", re.I)
TIMES = re.compile(r"(\d+(?:\.\d+)?)\s?(?:×|x\b|-?fold\b|times\b)", re.I)


@dataclass(frozen=True)
class Known:
    """All numbers that tables and raw files give, and all steps between two of one row or column."""

    values: list[float]
    steps: list[float]

    def back(self, printed: Printed) -> str | None:
        for scale in (1.0, 100.0, 0.01):
            if any(printed.matches(scale * v) or printed.matches(-scale * v) for v in self.values):
                return "in a table"
        # tables are rounded, so a step between two of their values is known less well than the text prints it
        near = any(abs(abs(printed.value) - abs(s)) <= 0.51 * printed.unit + 0.02 * abs(s) for s in self.steps)
        return "a step between two values of a table" if near else None


def check(case: Case) -> Iterator[Finding | ClaimVerdict]:
    known = _known(case)
    if known.values:
        yield from _quantities(case, known)


def _known(case: Case) -> Known:
    values: list[float] = []
    steps: list[float] = []
    for document in case.documents:
        for table in document.tables:
            lines: dict[tuple[str, int], list[float]] = {}
            for cell in table.cells:
                for printed in cell.numbers[:1]:
                    values.append(printed.value)
                    lines.setdefault(("row", cell.place[0]), []).append(printed.value)
                    lines.setdefault(("column", cell.place[1]), []).append(printed.value)
                values += [p.value for p in cell.numbers[1:]]
            for line in lines.values():
                few = line[:40]
                steps += [value for a in few for b in few if a != b for _, value in changes(a, b)]
                steps.append(sum(few) / len(few))
                means = [
                    (sum(few[:i] + few[i + 1 :]) / (len(few) - 1), few[i]) for i in range(len(few)) if len(few) > 2
                ]
                steps += [value for mean, own in means for _, value in changes(own, mean)]
    return Known(sorted(set(values)), sorted({round(s, 6) for s in steps}))


def _claims(document: Document) -> Iterator[tuple[Sentence, Printed]]:
    """Quantities that the text claims as outcomes of its own."""
    for sentence in document.sentences:
        section = sentence.section
        if not (HEADLINE.search(section) or RESULTS.search(section)) or re.search(
            r"related|setup|future|limitation|reference|data", section
        ):
            continue
        if not GAIN.search(sentence.text) or OTHERS.search(sentence.text) or NOT_RESULT.search(sentence.text):
            continue
        times = {m[1] for m in TIMES.finditer(sentence.text)}
        for printed in numbers_in(sentence.text):
            if (printed.percent or printed.decimals > 0 or printed.text in times) and printed.value not in (0, 1, 100):
                yield sentence, printed


def _quantities(case: Case, known: Known) -> Iterator[Finding | ClaimVerdict]:
    worst: tuple[int, int, list[Evidence]] = (0, 0, [])
    for document in case.documents:
        total, open_ = 0, []
        for sentence, printed in _claims(document):
            total += 1
            where = Evidence(file=document.file, line=sentence.line, quote=sentence.text[:240])
            how = known.back(printed)
            source = None if how else case.index.find(printed)
            if how or source:
                verdict: Verdict = "derived" if how and "step" in how else "backed"
                yield ClaimVerdict(text=printed.text, where=where, verdict=verdict, how=how or "in the raw results")
            else:
                yield ClaimVerdict(
                    text=printed.text,
                    where=where,
                    verdict="contradicted",
                    how="no table, no raw value and no step between two gives it",
                )
                open_.append(where)
        if len(open_) > worst[0]:
            worst = (len(open_), total, open_)
    count, total, evidence = worst
    if count and count / total >= 0.25:
        share = count / total
        weight = (0.5 if count >= 3 else 0.45 if count == 2 else 0.35) if share >= 0.5 else 0.25
        if count >= 4 and share >= 0.5:
            weight = 0.55
        yield Finding(
            pattern="P11",
            verdict="contradicted",
            weight=weight,
            message=f"{count} of {total} quantities that the text claims follow from no table and no raw value",
            evidence=tuple(evidence[:4]),
        )
