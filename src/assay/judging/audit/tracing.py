"""From a printed number back to what backs it: a raw value, one derived from raw values, a log, or nothing."""

import re
from dataclasses import dataclass, replace

from assay.judging.audit.case import Case
from assay.judging.audit.documents.read import Document
from assay.judging.audit.documents.tables import Cell, Table
from assay.judging.audit.model import Evidence, NumberVerdict
from assay.judging.audit.sources.values import Printed, Source

TRIVIAL = {0.0, 1.0, 100.0}
SOURCES = {
    "value": "in a raw file",
    "log": "in a log",
    "output": "in the output of a command",
    "bulk": "among many values",
}


@dataclass(frozen=True)
class Traced:
    """A number of a table, its verdict, and the file that backs it."""

    cell: Cell
    table: Table
    document: Document
    printed: Printed
    number: NumberVerdict


def trace_tables(case: Case, tainted: set[str]) -> list[Traced]:
    """Every decimal of every result table with what backs it. `tainted` are raw files whose values were made up: what
    rests on them is invented."""
    out = []
    for document in case.documents:
        for table in document.tables:
            open_: list[tuple[Cell, Printed]] = []
            known: dict[tuple[int, int], Printed] = {}
            for cell in table.results:
                for i, printed in enumerate(cell.numbers):
                    if not _counts(printed) or cell.is_quoted:
                        continue
                    if i == 0:
                        known[cell.place] = printed
                    source = case.index.find(_in_percent(cell, printed))
                    if source is None:
                        open_.append((cell, printed))
                    else:
                        out.append(
                            Traced(
                                cell, table, document, printed, _backed(case, document, cell, printed, source, tainted)
                            )
                        )
            numbers = [p for cell in table.results for p in cell.numbers[:1]]
            out += [Traced(c, table, document, p, _derived(document, c, p, known, numbers)) for c, p in open_]
    return out


def _counts(printed: Printed) -> bool:
    """Whether a number says something: a decimal or a percentage that is no bound."""
    return (printed.decimals > 0 or printed.percent) and printed.value not in TRIVIAL


def _in_percent(cell: Cell, printed: Printed) -> Printed:
    """A number of a column in percent, or the spread of one: a raw file may hold a hundredth of it."""
    large = cell.numbers[0].value > 1 and printed is not cell.numbers[0]
    return replace(printed, percent=True) if large or "%" in cell.column else printed


def _place(document: Document, cell: Cell) -> Evidence:
    return Evidence(file=document.file, line=cell.line, quote=f"{cell.row} / {cell.column}: {cell.text}"[:200])


def _backed(
    case: Case, document: Document, cell: Cell, printed: Printed, source: Source, tainted: set[str]
) -> NumberVerdict:
    where = _place(document, cell)
    if source.file in tainted:
        how = "stands in a file whose values were made up"
        return NumberVerdict(
            text=printed.text, where=where, verdict="invented", how=how, source=case.locate(source, printed.text)
        )
    if source.kind == "aggregate":
        return NumberVerdict(
            text=printed.text, where=where, verdict="derived", how=source.how, source=case.locate(source, printed.text)
        )
    return NumberVerdict(
        text=printed.text,
        where=where,
        verdict="backed",
        how=SOURCES[source.kind],
        source=case.locate(source, printed.text),
    )


def _derived(
    document: Document, cell: Cell, printed: Printed, known: dict[tuple[int, int], Printed], numbers: list[Printed]
) -> NumberVerdict:
    """A number that follows from others of its row or column, else one that nothing backs."""
    where = _place(document, cell)
    row, column = cell.place
    beside = [p for place, p in known.items() if place != cell.place and place[0] == row]
    above = [p for place, p in known.items() if place != cell.place and place[1] == column]
    if re.search(
        r"improv|gain|diff|delta|Δ|change|reduc|relative|speed|ratio|increase|drop|gap|vs",
        f"{cell.row} {cell.column}",
        re.I,
    ):
        # a table of gains derives from any pair of values in the tables around it
        above = numbers
    for name, pool in (("row", beside), ("column", above)):
        how = derivation(printed, [p.value for p in pool])
        if how:
            return NumberVerdict(text=printed.text, where=where, verdict="derived", how=f"{how}, from its {name}")
    return NumberVerdict(text=printed.text, where=where, verdict="unbacked", how="in no raw file, no log and no output")


def derivation(printed: Printed, pool: list[float]) -> str | None:
    """How a number follows from others: mean, difference, ratio, relative change, complement."""
    if len(pool) >= 2 and any(printed.matches(m) for m in _means(pool)):
        return "mean"
    for a in pool:
        if printed.matches(100 - a) or printed.matches(1 - a):
            return "complement"
        for b in pool:
            if a == b:
                continue
            for name, value in changes(a, b):
                if printed.matches(value) or printed.matches(-value):
                    return f"{name} of {a:g} and {b:g}"
    return None


def _means(pool: list[float]) -> list[float]:
    return [sum(pool) / len(pool), (max(pool) - min(pool)), max(pool), min(pool)] if len(pool) < 200 else []


def changes(a: float, b: float) -> list[tuple[str, float]]:
    """What reports call the step from b to a."""
    out = [("difference", a - b), ("difference in percent", 100 * (a - b))]
    for whole in (1, 100):
        if 0 < b < whole:
            out.append(("reduction of the error", 100 * (a - b) / (whole - b)))
    if b:
        out += [
            ("ratio", a / b),
            ("relative change", 100 * (a - b) / abs(b)),
            ("share", 100 * a / b),
            ("fraction", (a - b) / abs(b)),
        ]
    return out
