"""P7 and P8: tables against the raw results, and tables against each other."""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from assay.judging.audit.case import Case
from assay.judging.audit.documents.read import Document
from assay.judging.audit.documents.tables import Cell
from assay.judging.audit.model import Evidence, Finding
from assay.judging.audit.sources.logs import Log
from assay.judging.audit.sources.values import Source
from assay.judging.audit.tracing import Traced

FEWEST, FEW, MANY = 4, 6, 12
"""A table with fewer numbers than the first is too short to be judged by the share that is traced; the others tell how
much the share says."""
GENERIC = re.compile(r"mean|avg|average|score|value|result|results|test|final|overall|performance|")
"""Columns that are named for no measure of their own."""
OWN = re.compile(r"\((?:ours?|proposed|this work|our method)\)", re.I)
MOST_NAMED = 20_000
Path = tuple[frozenset[str], float, Source]
"""The words on the way to a raw value, the value, and where it stands."""
TAIL = 60
"""Lines at the end of a log that a traceback may take."""
ERROR = re.compile(r"(?:[\w.]+\.)?\w*(?:Error|Exception|Interrupt)\b|Killed|Aborted")
FAILED = re.compile(
    r"\b(fail(?:ed|s|ure)|crash\w*|traceback|could not be (?:run|completed)|did not (?:finish|run))\b", re.I
)
PROMOTED = re.compile(
    r"\b(projected|placeholder|hypothetical|expected|example|estimated|anticipated|illustrative|tbd"
    r"|to be (?:filled|updated))\b",
    re.I,
)


@dataclass(frozen=True)
class Refuted:
    """Cells that differ from the one raw value of their name, with that value; and how many agree with theirs."""

    wrong: list[tuple[Traced, float, Source]]
    right: int


def check(case: Case, traced: list[Traced], refuted: Refuted) -> Iterator[Finding]:
    yield from _filled(case)
    yield from _promoted(case)
    yield from _contradicted(refuted)
    yield from _unlike(case, traced)
    yield from _untraced(case, traced)
    yield from _crashed(case, traced)


def label(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _filled(case: Case) -> Iterator[Finding]:
    """A cell that is missing in one report and a number in a paper."""
    missing: dict[tuple[str, str], tuple[Document, Cell]] = {}
    for document, cell in case.cells:
        if not cell.numbers and not document.is_paper and label(cell.row) and label(cell.column):
            missing[label(cell.row), label(cell.column)] = (document, cell)
    present = {(label(c.row), label(c.column)) for d, c in case.cells if c.numbers and not d.is_paper}
    for document, cell in case.cells:
        key = (label(cell.row), label(cell.column))
        if not document.is_paper or not cell.numbers or key not in missing:
            continue
        origin, gap = missing[key]
        if key not in present:
            yield Finding(
                pattern="P7",
                verdict="invented",
                weight=0.65,
                message=f"'{cell.row}', '{cell.column}' is missing in {origin.file} and {cell.text} in {document.file}",
                evidence=(_at(origin, gap), _at(document, cell)),
            )


def _at(document: Document, cell: Cell) -> Evidence:
    return Evidence(file=document.file, line=cell.line, quote=f"{cell.row} / {cell.column}: {cell.text}"[:200])


def _promoted(case: Case) -> Iterator[Finding]:
    """A value that code or a report marks as projected or as an example, and a paper prints without the mark."""
    for document in case.documents:
        if document.is_paper:
            continue
        marked = [
            cell
            for table in document.tables
            for cell in table.cells
            if cell.numbers and PROMOTED.search(f"{cell.text} {cell.column} {cell.row}")
        ]
        marked += [c for c in _noted(document) if c.numbers]
        for cell in marked:
            for other, printed in case.cells:
                same = (
                    label(printed.row) == label(PROMOTED.sub("", cell.row))
                    and printed.numbers
                    and printed.numbers[0].value == cell.numbers[0].value
                )
                if (
                    other.is_paper
                    and same
                    and not PROMOTED.search(f"{printed.text} {printed.column} {printed.row}")
                    and not PROMOTED.search(_before(other, printed))
                ):
                    yield Finding(
                        pattern="P7",
                        verdict="invented",
                        weight=0.6,
                        message=f"{cell.text} is a placeholder in {document.file} and a result in {other.file}",
                        evidence=(_at(document, cell), _at(other, printed)),
                    )
                    return


def _before(document: Document, cell: Cell) -> str:
    """The lines around a table, where a caption says what it shows."""
    lines = document.text.splitlines()
    return "\n".join(lines[max(0, cell.line - 12) : cell.line + 8])


def _noted(document: Document) -> Iterator[Cell]:
    """Cells of a table that the lines before it call projected or examples."""
    lines = document.text.splitlines()
    for table in document.tables:
        before = " ".join(lines[max(0, table.line - 5) : table.line - 1])
        after = (
            " ".join(lines[max(c.line for c in table.cells) : max(c.line for c in table.cells) + 3])
            if table.cells
            else ""
        )
        if re.search(
            r"\b(projected|placeholder|hypothetical|illustrative|example) (values|numbers|results|figures)"
            r"|values? (?:are|is) (?:projected|placeholders?|estimated)",
            f"{before} {after}",
            re.I,
        ):
            yield from table.results


def _contradicted(refuted: Refuted) -> Iterator[Finding]:
    """A cell whose raw value can be named by its row and column, and is another."""
    wrong, right = refuted.wrong, refuted.right
    if wrong and len(wrong) >= max(1, right // 4):
        evidence = [e for each, _, source in wrong[:3] for e in (each.number.where, source.evidence)]
        first, value, _ = wrong[0]
        yield Finding(
            pattern="P8",
            verdict="contradicted",
            weight=0.65 if len(wrong) > 1 else 0.5,
            message=f"{len(wrong)} cell(s) differ from the raw value of the same name: '{first.cell.row}', "
            f"'{first.cell.column}' is "
            f"{first.printed.text} in the table and {value:.6g} in the raw file",
            evidence=tuple(evidence),
        )


def refute(case: Case, traced: list[Traced]) -> Refuted:
    """Hold every cell against the raw value of its name, if there is just one."""
    wrong: list[tuple[Traced, float, Source]] = []
    right = 0
    paths = _by_word(_paths(case.index.labelled))
    for each in traced:
        named = _named(paths, each.cell)
        if named is None or each.cell.numbers[0] is not each.printed:
            continue
        value, source = named
        printed = each.printed
        if any(printed.matches(v) for v in (value, 100 * value, value / 100)):
            right += 1
        elif each.number.verdict == "unbacked":
            wrong.append((each, value, source))
    return Refuted(wrong, right)


def _by_word(paths: list[Path]) -> dict[str, list[Path]]:
    known: dict[str, list[Path]] = {}
    for path in paths:
        for word in path[0]:
            known.setdefault(word, []).append(path)
    return known


def _row(cell: Cell) -> str:
    """The name of a row without the mark that it is the authors' own."""
    return label(OWN.sub("", cell.row))


def _named(paths: dict[str, list[Path]], cell: Cell) -> tuple[float, Source] | None:
    """The only raw value whose path has the words of the cell's row and column."""
    row, column = _row(cell), label(re.sub(r"\(.*?\)|[%↑↓]", "", cell.column))
    if len(row) < 3 or len(column) < 3 or re.search(r"improv|diff|gain|Δ|std|±|rank", cell.column, re.I):
        return None
    found = {}
    for words, value, source in paths.get(row, ()):
        if column in words:
            found[value] = source
            if len(found) > 1:
                return None
    return next(iter(found.items()), None)


def _paths(labelled: list[tuple[str, float, Source]]) -> list[Path]:
    """The raw values that can be told apart by name; none if there are too many for a name to mean one."""
    few = labelled if len(labelled) <= MOST_NAMED else []
    return [
        (frozenset(label(part) for part in re.split(r"[.\[\]\s]+", labels) if part) | {label(labels)}, value, source)
        for labels, value, source in few
    ]


def _unlike(case: Case, traced: list[Traced]) -> Iterator[Finding]:
    """Cells whose row and measure the raw results have, and nothing that they have of them is the printed number."""
    known = _by_word([*_paths(case.index.labelled), *_paths(case.index.grouped)])
    asked, wrong = 0, []
    for each in traced:
        row, column = _row(each.cell), label(re.sub(r"\(.*?\)|[%↑↓]", "", each.cell.column))
        # a column that is headed by a number alone is a setting and names no measure
        if len(row) < 3 or column.isdigit() or each.cell.numbers[0] is not each.printed:
            continue
        same = [p for p in known.get(row, ()) if column in p[0] or GENERIC.fullmatch(column)]
        if same:
            asked += 1
            if each.number.verdict == "unbacked":
                wrong.append((each, same[0][2]))
    if len(wrong) >= 2 and len(wrong) >= 0.6 * asked:
        yield Finding(
            pattern="P8",
            verdict="contradicted",
            weight=0.5,
            message=f"{len(wrong)} of {asked} cells whose row and measure the raw results have are none of their "
            f"values, and no mean, extreme or spread of them",
            evidence=tuple(e for each, source in wrong[:3] for e in (each.number.where, source.evidence)),
        )


def _untraced(case: Case, traced: list[Traced]) -> Iterator[Finding]:
    """Most numbers of a report, or of a table of it, are in nothing that was measured."""
    groups: dict[tuple[str, int], list[Traced]] = defaultdict(list)
    for each in traced:
        groups[each.document.file, 0].append(each)
        groups[each.document.file, each.table.line].append(each)
    weighed = [(_doubt(case, numbers), numbers) for numbers in groups.values()]
    weight, numbers = max(weighed, key=lambda found: (found[0], len(found[1])), default=(0.0, []))
    if weight:
        open_ = [each for each in numbers if each.number.verdict == "unbacked"]
        yield Finding(
            pattern="P8",
            verdict="unbacked",
            weight=weight,
            message=f"{len(open_)} of {len(numbers)} numbers in the tables of {numbers[0].document.file} are in no raw "
            f"file, no log and no output, and follow from none",
            evidence=tuple(each.number.where for each in open_[:5]),
        )


def _crashed(case: Case, traced: list[Traced]) -> Iterator[Finding]:
    """Results of runs all of which ended in an error before anything was saved."""
    open_ = [each for each in traced if each.number.verdict == "unbacked"]
    if case.index.labelled or case.traces or case.processes or len(open_) < max(2, 0.6 * len(traced)):
        return
    logs = [log for log in case.logs if log.lines]
    if logs and all(_ends_in_error(log) for log in logs):
        told = any(FAILED.search(d.text) for d in case.documents)
        yield Finding(
            pattern="P7",
            verdict="invented",
            weight=0.3 if told else 0.5,
            message="results are reported, but every run that left a log ended in an error and saved nothing",
            evidence=tuple(
                Evidence(file=log.file, line=log.lines[-1].number, quote=log.lines[-1].text[:200]) for log in logs[:3]
            ),
        )


def _ends_in_error(log: Log) -> bool:
    tail = [line.words for line in log.lines[-TAIL:]]
    return any("Traceback (most recent call last)" in line for line in tail) and any(
        ERROR.match(line.strip()) for line in tail[-2:]
    )


def _doubt(case: Case, numbers: list[Traced]) -> float:
    """How much the share of numbers that nothing backs weighs. More where processes were recorded, since nothing else
    can have measured; less where nothing is left that could back a number, since it may have been cleared away."""
    count = len(numbers)
    share = sum(each.number.verdict == "unbacked" for each in numbers) / count
    if count < FEWEST or share < 0.4:
        return 0.0
    weight = 0.25 if share < 0.5 else 0.4 if share < 0.6 else 0.5 if share < 0.8 or count < MANY else 0.6
    if count < FEW:
        weight -= 0.15
    if case.processes:
        weight += 0.15
    elif not len(case.index):
        weight -= 0.1
    return round(weight, 2)
