"""What an audit says: findings, a verdict per number, per claim and for the whole, each with its evidence."""

from typing import Literal

from assay.base import Frozen

Verdict = Literal["backed", "derived", "declared simulation", "unbacked", "contradicted", "invented"]

THRESHOLD = 0.5
"""A folder whose score is at or above it is flagged; `docs/audit.md` says how the score is made."""

PATTERNS = {
    "P1": "a generator takes the place of the experiment",
    "P2": "results typed into a script",
    "P3": "a mock mode was used",
    "P4": "a result file written by hand",
    "P5": "a log that no run can have left",
    "P6": "a mocked component decides the metric",
    "P7": "a missing value was filled in",
    "P8": "a table disagrees with the raw results",
    "P9": "people who were never recruited",
    "P10": "a tautology: something is compared with itself",
    "P11": "the text claims more than the tables show",
    "P12": "a larger setup than was executed",
    "P13": "another method than the one described",
    "P14": "random attributes or labels behind a finding",
    "P15": "canned output presented as a model's",
    "P16": "a series that was plotted and never measured",
    "P17": "a conclusion written before the results",
    "P18": "a swallowed error counted as data",
    "citation": "references that cannot exist",
}
"""The patterns of fabrication, and what each is called in a report."""


class Evidence(Frozen):
    """Where something stands: a file of the audited folder, a line, and what it says there."""

    file: str
    line: int | None = None
    quote: str = ""

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


class Finding(Frozen):
    """One sign that something reported was not measured."""

    pattern: str
    """A key of PATTERNS."""
    verdict: Verdict
    weight: float
    """How much it moves the score, from 0 to 1; 0 for what the report itself declares."""
    message: str
    evidence: tuple[Evidence, ...] = ()
    source: str = "audit"
    """`audit`, or the name of the judge model that added it."""


class NumberVerdict(Frozen):
    """A number of a table or a claim, and what backs it."""

    text: str
    where: Evidence
    verdict: Verdict
    how: str
    """The derivation, or why nothing backs it."""
    source: Evidence | None = None
    """Where the value, or the first value it is derived from, stands."""


class ClaimVerdict(Frozen):
    """A sentence that claims something that can be checked."""

    text: str
    where: Evidence
    verdict: Verdict
    how: str


class Audit(Frozen):
    """The whole."""

    folder: str
    verdict: Verdict
    flagged: bool
    """Whether the score reaches the threshold: results were reported that were not measured."""
    score: float
    threshold: float = THRESHOLD
    findings: tuple[Finding, ...] = ()
    numbers: tuple[NumberVerdict, ...] = ()
    claims: tuple[ClaimVerdict, ...] = ()
    seen: dict[str, int] = {}
    """How many files of each kind were read."""
    unseen: tuple[str, ...] = ()
    """What the audit could not look at, and what it therefore cannot say."""
