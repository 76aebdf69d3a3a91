"""What a check says: one row for each thing looked at."""

from pydantic import computed_field

from assay.base import Frozen


class CheckRow(Frozen):
    name: str
    passed: bool
    detail: str = ""
    """What was measured; for a failure also what to do."""


class CheckReport(Frozen):
    """Everything that was looked at in one task."""

    task: str
    rows: tuple[CheckRow, ...]

    @computed_field  # type: ignore[prop-decorator]
    @property
    def passed(self) -> bool:
        return all(row.passed for row in self.rows)


def row(name: str, problems: list[str], detail: str = "") -> CheckRow:
    """Passed if there are no problems; else they are the detail."""
    return CheckRow(name=name, passed=not problems, detail="; ".join(problems) or detail)
