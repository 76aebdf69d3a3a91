"""Reports into blocks of text with line numbers: Markdown, LaTeX, PDF, and the text cells of notebooks."""

import json
import logging
import re
from dataclasses import dataclass
from functools import cached_property

from assay.judging.audit.documents.tables import Table, latex_tables, markdown_tables, printed_rows
from assay.judging.audit.inventory import File

HEADING = re.compile(
    r"^\s{0,3}(?:#{1,6}\s+(?P<md>.+?)#*\s*$|\\(?:sub)*section\*?\{(?P<tex>[^}]*)\}|\*\*(?P<bold>[A-Z0-9][^*]{2,60})\*\*\s*$)"
)
ABSTRACT = re.compile(r"^\s*(\\begin\{abstract\}|\*{0,2}Abstract\*{0,2}\s*[:.—-]?\s*$)", re.I)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'*\[$(])")
LONGEST = 2000
"""What is longer is no sentence but a dump; its first part tells as much."""
BLANK = re.compile(r"^\s*$")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the text, not of a table."""

    text: str
    line: int
    section: str
    """The heading it stands under, in lower case."""


@dataclass(frozen=True)
class Document:
    """One report."""

    file: str
    text: str
    problem: str = ""
    """Why it could not be read in full."""
    is_pdf: bool = False

    @cached_property
    def tables(self) -> list[Table]:
        if self.is_pdf:
            return printed_rows(self.file, self.text)
        return [*markdown_tables(self.file, self.text), *latex_tables(self.file, self.text)]

    @cached_property
    def sentences(self) -> list[Sentence]:
        return _sentences(self.text)

    @property
    def is_paper(self) -> bool:
        """Whether it is the last word, which a reader sees: a paper rather than a report of results."""
        name = self.file.rsplit("/", 1)[-1].lower()
        return "paper" in name or name.endswith((".pdf", ".tex"))


def read_document(file: File) -> Document:
    """A report of any form. What cannot be read is empty and says why."""
    if file.suffix == ".pdf":
        text, problem = _pdf(file)
        return Document(file.name, text, problem, is_pdf=True)
    if file.suffix == ".ipynb":
        return Document(file.name, notebook_text(file.text))
    return Document(file.name, file.text)


def notebook_text(text: str) -> str:
    """The text cells of a notebook; nothing if it is broken."""
    try:
        cells = json.loads(text).get("cells", [])
        return "\n\n".join("".join(cell.get("source", "")) for cell in cells if cell.get("cell_type") == "markdown")
    except (ValueError, AttributeError, TypeError):
        return ""


def printed_text(text: str) -> str:
    """What the code cells of a notebook printed; nothing if it is broken."""
    try:
        cells = json.loads(text).get("cells", [])
        outputs = [out for cell in cells if cell.get("cell_type") == "code" for out in cell.get("outputs", [])]
        shown = [out.get("text") or (out.get("data") or {}).get("text/plain") or "" for out in outputs]
        return "\n".join("".join(each) for each in shown)
    except (ValueError, AttributeError, TypeError):
        return ""


def _pdf(file: File) -> tuple[str, str]:
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError:
        return "", f"{file.name}: PDFs need the extra `audit` (pip install 'assay-bench[audit]')"
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what is wrong with a file is said in the audit
    try:
        return "\n".join(page.extract_text() for page in PdfReader(file.path).pages[:100]), ""
    except (PyPdfError, ValueError, KeyError, TypeError, OSError, AttributeError, RecursionError) as error:
        return "", f"{file.name}: the PDF cannot be read ({type(error).__name__})"


def _sentences(text: str) -> list[Sentence]:
    out: list[Sentence] = []
    paragraph: list[str] = []
    section, start, fenced = "", 0, False

    def close() -> None:
        joined = " ".join(paragraph)
        out.extend(Sentence(s.strip()[:LONGEST], start, section) for s in SENTENCE_END.split(joined) if s.strip())
        paragraph.clear()

    for number, line in enumerate(text.splitlines(), start=1):
        stripped = line.strip()
        if stripped.startswith("```"):
            close()
            fenced = not fenced
            continue
        heading = HEADING.match(line)
        if heading or ABSTRACT.match(line):
            close()
            title = (heading and (heading["md"] or heading["tex"] or heading["bold"])) or "abstract"
            section = re.sub(r"[*_#]", "", title).strip().lower()
        elif (
            fenced or BLANK.match(line) or stripped.startswith("|") or (stripped.count("&") > 1 and "\\\\" in stripped)
        ):
            close()
        else:
            if stripped.startswith(("- ", "* ", "+ ", "\\item")) or re.match(r"\d+\.\s", stripped):
                close()
            if not paragraph:
                start = number
            paragraph.append(stripped)
    close()
    return out
