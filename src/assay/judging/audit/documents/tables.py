"""Tables of reports into cells that know their row and column."""

import re
from dataclasses import dataclass, field

from assay.judging.audit.sources.values import Printed

NUMBER = re.compile(
    r"(?<![\w.\-])[-+−–]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+|(?<=\d))(?:[eE][-+]?\d+|\s*×\s*10\^?\{?-?\d+\}?)?\s?\\?%?"
)
MISSING = re.compile(r"^\W*(n/?a|nan|-+|—|–|tbd|todo|none|null|not (run|available|measured)|failed|oom)\W*$", re.I)
RULE = re.compile(r"^[\s|:+\-=]+$")
MARKUP = re.compile(
    r"\\(?:textbf|textit|mathbf|underline|emph|text|mathrm|num)\{([^}]*)\}|[*`$]|\\(?:uparrow|downarrow|pm)|</?\w+>"
)
LISTS_SETTINGS = re.compile(
    r"\b(param\w*|hyper-?param\w*|settings?|config\w*|options?|component|attribute|property)\b", re.I
)
SETTINGS = re.compile(
    r"\b(hyper-?param\w*|learning rate|lr|batch(?: size)?|epochs|dropout|hidden (?:size|units|dim\w*)"
    r"|num\w* (?:of )?layers|heads|"
    r"temperature|optimi[sz]er|weight decay|warm-?up|lora rank|momentum|max\w* (?:sequence )?(?:length|tokens)"
    r"|train size|split|"
    r"hardware|gpu|date|version|year)\b",
    re.I,
)
"""Words of rows and headers that hold what was set, not what came out."""


QUOTED = re.compile(
    r"[†‡§]|\[\d+(?:,\s*\d+)*\]|\bet al\b|\((?:19|20)\d\d[a-z]?\)|\\cite|\b(?:as )?(?:reported|published|quoted)\b",
    re.I,
)
"""Marks of a row that is taken from somebody else's paper."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with a number, or with a sign that there is none."""

    row: str
    column: str
    text: str
    line: int
    numbers: tuple[Printed, ...]
    """The number and, where the cell has one, its spread; empty if the value is missing."""
    place: tuple[int, int]

    @property
    def is_quoted(self) -> bool:
        """Whether the report says that the number is somebody else's, so that nothing here can back it."""
        return bool(QUOTED.search(f"{self.row} {self.text}"))


@dataclass
class Table:
    """A table of a report."""

    file: str
    line: int
    header: list[str]
    cells: list[Cell] = field(default_factory=list)

    @property
    def is_settings(self) -> bool:
        """Whether it lists what was set rather than what came out."""
        return len(self.header) == 2 and bool(LISTS_SETTINGS.search(self.header[0]))

    @property
    def results(self) -> list[Cell]:
        """Cells of what came out."""
        if self.is_settings:
            return []
        return [c for c in self.cells if not SETTINGS.search(c.row) and not SETTINGS.search(c.column)]


def markdown_tables(file: str, text: str) -> list[Table]:
    """Tables drawn with bars."""
    tables: list[Table] = []
    block: list[tuple[int, list[str]]] = []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        if line.count("|") >= 2 or (block and "|" in line):
            if not RULE.match(line):
                block.append((number, [c.strip() for c in line.strip().strip("|").split("|")]))
        elif block:
            if len(block) > 1:
                tables.append(_table(file, block))
            block = []
    return tables


def latex_tables(file: str, text: str) -> list[Table]:
    """Tables of tabular environments."""
    tables = []
    for match in re.finditer(r"\\begin\{(tabular\w*|longtable)\}(.*?)\\end\{\1\}", text, re.S):
        first = text.count("\n", 0, match.start()) + 1
        block, offset = [], 0
        for row in match[2].split("\\\\"):
            line = first + match[2].count("\n", 0, offset)
            offset += len(row) + 2
            if "&" in row:
                cells = re.sub(r"\\(top|mid|bottom|h)(rule|line)|\\cmidrule\S*|^\{[^}]*\}", "", row.strip())
                block.append((line, [c.strip() for c in cells.split("&")]))
        if len(block) > 1:
            tables.append(_table(file, block))
    return tables


def printed_rows(file: str, text: str) -> list[Table]:
    """Rows of a text that has lost its table lines, as a PDF's: a label and at least two decimals."""
    table = Table(file, 1, [])
    for number, line in enumerate(text.splitlines(), start=1):
        found = [p for p in numbers_in(line) if p.decimals]
        label = NUMBER.split(line, maxsplit=1)[0].strip()
        if len(found) >= 2 and len(label.split()) <= 6 and len(NUMBER.sub("", line).split()) <= 8:
            table.cells += [Cell(label, "", p.text, number, (p,), (number, i)) for i, p in enumerate(found)]
    return [table] if table.cells else []


def numbers_in(text: str) -> list[Printed]:
    """The numbers a text prints, with their precision."""
    out = []
    for match in NUMBER.finditer(text):
        shown = match[0].strip()
        plain = shown.rstrip("%\\ ").replace(",", "").replace("−", "-").replace("–", "-")
        plain = re.sub(r"\s*×\s*10\^?\{?(-?\d+)\}?", r"e\1", plain)
        try:
            value = float(plain)
        except ValueError:
            continue
        mantissa, _, exponent = plain.lower().partition("e")
        decimals = len(mantissa.partition(".")[2]) - (int(exponent) if exponent else 0)
        out.append(Printed(shown, value, decimals, shown.endswith("%")))
    return out


def _table(file: str, block: list[tuple[int, list[str]]]) -> Table:
    header = [clean(cell) for cell in block[0][1]]
    table = Table(file, block[0][0], header)
    for position, (line, row) in enumerate(block[1:]):
        # the first cell names the row, even if it is called "None"
        texts = [clean(c) for c in row]
        labels = [t for i, t in enumerate(texts) if not _is_value(t) and (i == 0 or not MISSING.match(t))]
        label = " ".join(labels[:2]) if labels else ""
        for i, raw in enumerate(row):
            text = clean(raw)
            column = header[i] if i < len(header) else ""
            if i and MISSING.match(text):
                table.cells.append(Cell(label, column, text, line, (), (position, i)))
            elif _is_value(text):
                table.cells.append(Cell(label, column, text, line, tuple(numbers_in(text)), (position, i)))
    return table


def clean(cell: str) -> str:
    """A cell without its markup."""
    return MARKUP.sub(lambda m: m[1] or "", cell.replace("\\pm", "±")).strip()


def _is_value(text: str) -> bool:
    """Whether a cell is a number with at most a unit, a spread or a mark around it."""
    if not re.match(r"^[~≈<>(+\-−–±]*\s*\.?\d", text):
        return False
    rest = NUMBER.sub("", text)
    return (
        len(
            re.sub(
                r"[\s±()\[\],;/~≈<>+\-−–↑↓†*x×]|\b(ms|s|sec|seconds|min|h|hours|gb|mb|k|m|std|ci|pp|pts?)\b",
                "",
                rest,
                flags=re.I,
            )
        )
        <= 2
    )
