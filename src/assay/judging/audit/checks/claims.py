"""P11: what the text claims against what the tables show."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assay.judging.audit.case import Case
from assay.judging.audit.documents.read import Document, Sentence
from assay.judging.audit.documents.tables import Cell, Table, numbers_in
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
HIGHER = re.compile(
    r"acc|f1|precision|recall|auc|bleu|rouge|reward|return|score|success|pass|iou|map|mrr|ndcg|psnr|ssim|r2|r²|win"
    r"|exact|robust|coverage|throughput",
    re.I,
)
LOWER = re.compile(
    r"loss|error|perplex|ppl|mse|rmse|mae|ece|nll|brier|latency|time|fid|regret|memory|cost|gap|disparity"
    r"|hallucination",
    re.I,
)
BEATS = re.compile(
    r"\b(outperform\w*|surpass\w*|superior\w*|best (?:overall )?(?:performance|results?|accuracy|f1)"
    r"|state-of-the-art|exceed\w*|beats?)\b",
    re.I,
)
ALL = re.compile(r"\b(all|every|each|baselines?|existing|other methods|competing|across|consistently|both)\b", re.I)
DOUBT = re.compile(
    r"\b(not|no|fail\w*|while|although|however|whereas|but|except|unlike|only|on (?:one|some)|rather than|worse"
    r"|contrary|than (?:ours|the proposed|our))\b",
    re.I,
)


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
    yield from _superiority(case)


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


def method_names(document: Document) -> set[str]:
    """What the report calls its own method."""
    names = {"ours", "proposed"}
    title = next((line.lstrip("# ").strip() for line in document.text.splitlines() if line.startswith("#")), "")
    if ":" in title:
        names.add(title.split(":")[0].strip())
    opening = document.text[:6000]
    names |= set(
        re.findall(
            r"(?:propose|introduce|present|develop)\w*\s+(?:a |an |the )?\*{0,2}([A-Z][\w-]*[A-Z][\w-]*)", opening
        )
    )
    names |= set(
        re.findall(r"(?:propose|introduce|present)\w*[^.\n]{0,120}?\(\*{0,2}([A-Z][\w-]*[A-Z][\w-]*)\*{0,2}\)", opening)
    )
    return {plain for n in names if len(plain := re.sub(r"[^a-z0-9]", "", n.lower())) >= 3}


def _superiority(case: Case) -> Iterator[Finding | ClaimVerdict]:
    """The text says that the method is best; the tables show that it is not, in any column."""
    for document in case.documents:
        names = method_names(document)
        claims = [s for s in document.sentences if _is_superiority(s, names)]
        if not claims:
            continue
        lost, won, evidence = 0, 0, []
        for table in document.tables:
            for behind, cell in _standing(table, names):
                lost, won = lost + behind, won + (not behind)
                if behind:
                    evidence.append(
                        Evidence(file=document.file, line=cell.line, quote=f"{cell.row} / {cell.column}: {cell.text}")
                    )
        if lost and lost >= 3 * max(won, 0.34):
            place = Evidence(file=document.file, line=claims[0].line, quote=claims[0].text[:240])
            yield ClaimVerdict(
                text=claims[0].text[:300],
                where=place,
                verdict="contradicted",
                how=f"a baseline is better in {lost} of {lost + won} columns",
            )
            yield Finding(
                pattern="P11",
                verdict="contradicted",
                weight=0.55 if won == 0 else 0.4,
                message=f"the method is called the best, yet a baseline is better in {lost} of {lost + won} columns",
                evidence=(place, *evidence[:3]),
            )


def _is_superiority(sentence: Sentence, names: set[str]) -> bool:
    if re.search(
        r"related|future|propos|method|setup|background|motivation|hypothes", sentence.section
    ) or OTHERS.search(sentence.text):
        return False
    if not (BEATS.search(sentence.text) and ALL.search(sentence.text)) or DOUBT.search(sentence.text):
        return False
    subject = re.sub(r"[^a-z0-9 ]", "", BEATS.split(sentence.text)[0].lower())
    return bool(re.search(r"\b(our|ours|proposed)\b", subject)) or any(
        n in subject.replace(" ", "") for n in names if n not in ("ours", "proposed")
    )


def _standing(table: Table, names: set[str]) -> Iterator[tuple[bool, Cell]]:
    """For every column of a known direction: whether the best of the method's rows is behind another row."""
    columns: dict[int, list[Cell]] = {}
    for cell in table.results:
        if cell.numbers:
            columns.setdefault(cell.place[1], []).append(cell)
    for cells in columns.values():
        head = cells[0].column
        sign = -1 if LOWER.search(head) or "↓" in head else 1 if HIGHER.search(head) or "↑" in head else 0
        plain = {id(c): re.sub(r"[^a-z0-9]", "", c.row.lower()) for c in cells}
        own = [c for c in cells if any(n in plain[id(c)] for n in names)]
        rest = [c for c in cells if c not in own]
        if sign and own and rest and len({c.row for c in cells}) == len(cells):
            best = max(own, key=lambda c: sign * c.numbers[0].value)
            other = max(sign * c.numbers[0].value for c in rest)
            yield sign * best.numbers[0].value < other, best
