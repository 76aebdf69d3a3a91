"""P11: who is called better in the text against who is better in the tables."""

import re
from collections.abc import Iterator

from assay.judging.audit.case import Case
from assay.judging.audit.checks.claims import OTHERS
from assay.judging.audit.documents.read import Document, Sentence
from assay.judging.audit.documents.tables import Cell, Table
from assay.judging.audit.model import ClaimVerdict, Evidence, Finding

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
BETTER = re.compile(
    r"\b(?:outperform(?:s|ed)?|surpass(?:es|ed)?|exceed(?:s|ed)?|beats?|(?:is|are|was|were|performs?|performed) "
    r"(?:\w+ )?better than)\b(?! by)",
    re.I,
)
OWN = re.compile(r"\b(?:our|the proposed) (?:\w+ )?(?:method|model|approach|system|framework|agent)\b", re.I)
ALL = re.compile(r"\b(all|every|each|baselines?|existing|other methods|competing|across|consistently|both)\b", re.I)
DOUBT = re.compile(
    r"\b(not|no|fail\w*|while|although|however|whereas|but|except|unlike|only|on (?:one|some)|rather than|worse"
    r"|contrary|than (?:ours|the proposed|our))\b",
    re.I,
)


def check(case: Case) -> Iterator[Finding | ClaimVerdict]:
    for document in case.documents:
        yield from _superiority(document)
        yield from _comparisons(document)


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


def _superiority(document: Document) -> Iterator[Finding | ClaimVerdict]:
    """The text says that the method is best; the tables show that it is not, in any column."""
    names = method_names(document)
    claims = [s for s in document.sentences if _is_superiority(s, names)]
    standings = [each for table in document.tables for each in _standing(table, names)] if claims else []
    behind = [cell for is_behind, cell in standings if is_behind]
    won = len(standings) - len(behind)
    if behind and len(behind) >= 3 * max(won, 0.34):
        how = f"a baseline is better in {len(behind)} of {len(standings)} columns"
        yield from _refuted(document, claims[0], behind, how, 0.55 if won == 0 else 0.4)


def _comparisons(document: Document) -> Iterator[Finding | ClaimVerdict]:
    """The text says that one row of a table is better than another; the table says the opposite, in every column."""
    labels = {label for table in document.tables for cell in table.results if (label := _plain(cell.row))}
    for sentence in document.sentences:
        match = BETTER.search(sentence.text)
        if match is None or not _is_own(sentence) or DOUBT.search(sentence.text):
            continue
        first, second = (
            _mentioned(labels, part) for part in (sentence.text[: match.start()], sentence.text[match.end() :])
        )
        if first is None and OWN.search(sentence.text[: match.start()]):
            first = next((label for label in sorted(labels) if label.startswith(("our", "proposed"))), None)
        if first is None or second is None or first == second:
            continue
        pairs = [pair for table in document.tables for pair in _side_by_side(table, first, second)]
        if pairs and all(is_behind for is_behind, _ in pairs):
            how = f"in the table it is behind in {len(pairs)} of {len(pairs)} columns"
            yield from _refuted(document, sentence, [cell for _, cell in pairs], how, 0.5)


def _refuted(
    document: Document, claim: Sentence, cells: list[Cell], how: str, weight: float
) -> Iterator[Finding | ClaimVerdict]:
    place = Evidence(file=document.file, line=claim.line, quote=claim.text[:240])
    shown = [Evidence(file=document.file, line=c.line, quote=f"{c.row} / {c.column}: {c.text}") for c in cells[:3]]
    yield ClaimVerdict(text=claim.text[:300], where=place, verdict="contradicted", how=how)
    yield Finding(
        pattern="P11",
        verdict="contradicted",
        weight=weight,
        message=f"the text calls a method better than the tables show: {how}",
        evidence=(place, *shown),
    )


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _mentioned(labels: set[str], part: str) -> str | None:
    """The longest label that a part of a sentence has."""
    return max((label for label in labels if len(label) >= 3 and label in _plain(part)), key=len, default=None)


def _side_by_side(table: Table, first: str, second: str) -> Iterator[tuple[bool, Cell]]:
    """For every column of a known direction that has both rows: whether the first is behind."""
    cells = {(c.place[1], _plain(c.row)): c for c in table.results if c.numbers}
    for (column, row), cell in cells.items():
        other, sign = cells.get((column, second)), _direction(cell.column)
        if row == first and other is not None and sign:
            yield sign * cell.numbers[0].value < sign * other.numbers[0].value, cell


def _direction(head: str) -> int:
    """1 if more is better, -1 if less is, 0 if that is not known."""
    return -1 if LOWER.search(head) or "↓" in head else 1 if HIGHER.search(head) or "↑" in head else 0


def _is_own(sentence: Sentence) -> bool:
    """Whether a sentence can speak of the report's own results."""
    elsewhere = r"related|future|propos|method|setup|background|motivation|hypothes"
    return not re.search(elsewhere, sentence.section) and not OTHERS.search(sentence.text)


def _is_superiority(sentence: Sentence, names: set[str]) -> bool:
    if not _is_own(sentence):
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
        sign = _direction(cells[0].column)
        plain = {id(c): _plain(c.row) for c in cells}
        own = [c for c in cells if any(n in plain[id(c)] for n in names)]
        rest = [c for c in cells if c not in own]
        if sign and own and rest and len({c.row for c in cells}) == len(cells):
            best = max(own, key=lambda c: sign * c.numbers[0].value)
            other = max(sign * c.numbers[0].value for c in rest)
            yield sign * best.numbers[0].value < other, best
