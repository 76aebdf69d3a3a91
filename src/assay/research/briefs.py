"""Research briefs: what a staged agent is asked to look into. A brief has a text and no metric, grader or solution.

suites/<suite>/research.toml         title, and named subsets
              /tasks.csv             briefs whose texts are not ours: facts and the hash of each text
              /<brief>/brief.toml    a brief of our own: facts, data, questions
                      /brief.md      its text
              /literature.bib        what literature searches find by default; a brief may have one of its own
"""

import csv
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from assay.base import Frozen
from assay.errors import AssayError, UsageError, unknown
from assay.research.texts import installed_text
from assay.tasks.suites import SUITES

LISTING = "assay research list"


class Question(Frozen):
    """A question that a brief asks, with the design of an experiment that answers it."""

    text: str
    data: str
    """One of the brief's data sets."""
    factor: str
    """What is varied."""
    levels: tuple[float, ...]
    methods: tuple[str, ...]


class Brief(Frozen):
    """One research brief."""

    id: str
    """`<suite>/<name>`, or the path of a folder of the user's."""
    title: str
    topic: str
    conference: str = ""
    year: int | None = None
    topic_source: str = "own"
    """`published`, `inferred`, or `own` for briefs of this project."""
    repeats: tuple[str, ...] = ()
    """Briefs of the same suite whose text is the same for the most part."""
    note: str = ""
    """What a reader of results should know about the text."""
    sha256: str = ""
    """Of the published text, where that is loaded with `assay setup`."""
    data: tuple[str, ...] = ()
    """Data sets that experiments get as files; see `assay.research.data`."""
    questions: tuple[Question, ...] = ()

    @property
    def suite(self) -> str:
        return self.id.partition("/")[0]

    @property
    def name(self) -> str:
        return Path(self.id).resolve().name


@dataclass(frozen=True)
class BriefSuite:
    """A named set of briefs; a subset is a suite too."""

    name: str
    title: str
    briefs: tuple[Brief, ...]


@cache
def brief_suites() -> dict[str, BriefSuite]:
    """All suites of briefs by name, subsets behind their suite."""
    found: dict[str, BriefSuite] = {}
    for file in sorted(SUITES.glob("*/research.toml")):
        table = tomllib.loads(file.read_text(encoding="utf-8"))
        name = file.parent.name
        briefs = (*_listed(file.parent), *_own(file.parent))
        found[name] = BriefSuite(name, table["title"], briefs)
        for subset, names in table.get("subsets", {}).items():
            chosen = tuple(brief for brief in briefs if brief.name in names)
            found[subset] = BriefSuite(subset, f"{len(chosen)} of {name}", chosen)
    return found


def find_brief(name: str) -> Brief:
    """A brief by id, or by the path of its folder. Raises UsageError with the nearest names."""
    known = {brief.id: brief for suite in brief_suites().values() for brief in suite.briefs}
    if name in known:
        return known[name]
    if (Path(name) / "brief.toml").is_file():
        return _read(Path(name))
    raise unknown("brief", name, known, LISTING)


def brief_text(brief: Brief) -> str:
    """The whole text. Raises UsageError that says how to get it where it was not loaded yet."""
    if not brief.sha256:
        return _own_file(brief, "brief.md").read_text(encoding="utf-8")
    text = installed_text(brief.suite, brief.name, brief.sha256)
    if text is None:
        raise UsageError(
            f"the text of '{brief.id}' ({brief.title}; {brief.topic}) is not on this machine", how_to_get(brief)
        )
    return text


def how_to_get(brief: Brief) -> str:
    """What to do about a text that is not here."""
    return f"get the folder 'tasks' of the repository chchenhui/mlrbench, then: assay setup {brief.suite} --from FOLDER"


def literature_file(brief: Brief) -> Path | None:
    """The bibliography that comes with the brief or with its suite, if one does."""
    files = (_own_file(brief, "literature.bib"), SUITES / brief.suite / "literature.bib")
    return next((file for file in files if file.is_file()), None)


def _own_file(brief: Brief, name: str) -> Path:
    """A file beside the brief's brief.toml."""
    folder = SUITES / brief.id
    return (folder if folder.is_dir() else Path(brief.id)) / name


def _listed(folder: Path) -> tuple[Brief, ...]:
    file = folder / "tasks.csv"
    if not file.is_file():
        return ()
    with file.open(encoding="utf-8", newline="") as rows:
        return tuple(_row(folder.name, row) for row in csv.DictReader(rows))


def _row(suite: str, row: dict[str, Any]) -> Brief:
    facts = {**row, "id": f"{suite}/{row['id']}", "repeats": tuple(row["repeats"].split())}
    return Brief.model_validate(facts)


def _own(folder: Path) -> tuple[Brief, ...]:
    return tuple(_read(file.parent) for file in sorted(folder.glob("*/brief.toml")))


def _read(folder: Path) -> Brief:
    """Raises AssayError that names the field if the folder's brief.toml is not a brief."""
    own = folder.is_relative_to(SUITES)
    if not (folder / "brief.md").is_file():
        raise AssayError(f"{folder} has a brief.toml and no brief.md", "write the brief's text into brief.md")
    try:
        table = tomllib.loads((folder / "brief.toml").read_text(encoding="utf-8"))
        return Brief.model_validate({**table, "id": f"{folder.parent.name}/{folder.name}" if own else str(folder)})
    except (tomllib.TOMLDecodeError, ValidationError) as error:
        raise AssayError(f"{folder / 'brief.toml'} is not a brief: {error}", "see docs/research.md") from None
