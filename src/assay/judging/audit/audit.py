"""The audit of a folder: read it, run every check, weigh what they found."""

import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

from assay.errors import UsageError
from assay.judging.audit.case import Case, open_case
from assay.judging.audit.checks import (
    altered,
    citations,
    claims,
    conclusions,
    described,
    errors,
    generated,
    identity,
    logs,
    mocks,
    people,
    setup,
    standins,
    superiority,
    switches,
    tables,
    typed,
)
from assay.judging.audit.model import Audit, ClaimVerdict, Finding, NumberVerdict
from assay.judging.audit.score import declare, score, verdict
from assay.judging.audit.tracing import Traced, trace_tables

CHECKS = (
    generated,
    altered,
    mocks,
    switches,
    standins,
    errors,
    identity,
    described,
    logs,
    typed,
    conclusions,
    people,
    claims,
    superiority,
    setup,
    citations,
)
"""All that look at the folder alone; `tables` needs the traced numbers too."""


def audit(folder: Path) -> Audit:
    """Decide which reported numbers and claims of a research folder are backed by what else lies in it. Reads only;
    runs nothing and asks no model. Raises UsageError if there is no such folder."""
    if not folder.is_dir():
        raise UsageError(f"no folder '{folder}'", "name the folder that holds the report, the code and the results")
    case = open_case(folder)
    found: list[Finding | ClaimVerdict] = []
    for check in CHECKS:
        found.extend(check.check(case))
    findings = [f for f in found if isinstance(f, Finding)]
    traced = trace_tables(case, _tainted(case, findings))
    refuted = tables.refute(case, traced)
    findings = declare([*findings, *tables.check(case, traced, refuted)], case.declared)
    numbers = _numbers(traced, refuted)
    total = score(findings)
    return Audit(
        folder=str(folder),
        verdict=verdict(findings, numbers, total),
        flagged=total >= Audit.model_fields["threshold"].default,
        score=total,
        findings=tuple(sorted(findings, key=lambda f: -f.weight)),
        numbers=numbers,
        claims=tuple(f for f in found if isinstance(f, ClaimVerdict)),
        seen=_seen(case),
        unseen=tuple(case.unseen),
    )


def _numbers(traced: list[Traced], refuted: tables.Refuted) -> tuple[NumberVerdict, ...]:
    """Every number with its verdict; one that differs from the raw value of its own name is contradicted."""
    wrong = {id(each): (value, source) for each, value, source in refuted.wrong}
    out = []
    for each in traced:
        if id(each) in wrong:
            value, source = wrong[id(each)]
            how = f"the raw value of this name is {value:.6g}"
            update = {"verdict": "contradicted", "how": how, "source": source.evidence}
            out.append(each.number.model_copy(update=update))
        else:
            out.append(each.number)
    return tuple(out)


def _tainted(case: Case, findings: Iterable[Finding]) -> set[str]:
    """Raw files that a script which makes numbers up names as its output, and files found to be typed."""
    scripts = {e.file for f in findings if f.pattern in ("P1", "P2", "P4") and f.weight >= 0.5 for e in f.evidence}
    named = "\n".join(t for m in case.program.modules if m.file in scripts for _, t in m.strings)
    files = {
        f.name
        for f in case.inventory.of("raw")
        if re.search(rf"(^|[/\\]|\n){re.escape(PurePosixPath(f.name).name)}($|\n)", named)
    }
    return files | (scripts & {f.name for f in case.inventory.of("raw")})


def _seen(case: Case) -> dict[str, int]:
    roles = [file.role for file in case.inventory.files]
    counts: dict[str, int] = {role: roles.count(role) for role in sorted(set(roles))}
    return {**counts, "traces": len(case.traces), "processes": len(case.processes), "values": len(case.index)}
