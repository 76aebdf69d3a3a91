"""P5: logs that no run can have left."""

import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

from assay.judging.audit.case import Case
from assay.judging.audit.code.source import Module, called_name
from assay.judging.audit.model import Evidence, Finding
from assay.judging.audit.sources.logs import DECIMAL, STAMP, Line, Log

FEWEST = 6
MOST_LINES = 1000
"""So many lines of a log tell whether the code could print it."""
LIBRARIES = re.compile(
    r"(warning|warn|it/s|s/it|\d+%\||tensorflow|transformers|torch|huggingface|downloading|deprecat|site-packages"
    r"|Traceback|File \"|Error:|cuda|loading|tokeniz|generating|map:|pip |requirement already|collecting|"
    r"^\W*$|INFO:|DEBUG:|httpx|HTTP Request|grad_norm|samples_per_second|LightGBM|ms/step|steps_per_second)",
    re.I,
)
SMALL = 20_000
WORD = re.compile(r"[A-Za-z_]{3,}")
DURATION = re.compile(
    r"(?:total|overall|training|execution|elapsed|run(?:ning)?|experiment|completed|finished|duration"
    r"|took)\b[^\n\d]{0,40}?(\d+(?:\.\d+)?)\s*(seconds|secs?|s|minutes|mins?|m|hours|hrs?|h)\b",
    re.I,
)
UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def check(case: Case) -> Iterator[Finding]:
    known = _printable(case) if case.logs else set()
    for log in case.logs:
        yield from _impossible_times(case, log)
        yield from _unprintable(case, log, known)
    yield from _forged_by_code(case)


def _at(log: Log, line: Line) -> Evidence:
    return Evidence(file=log.file, line=line.number, quote=line.text[:200])


def _impossible_times(case: Case, log: Log) -> Iterator[Finding]:
    stamped = log.stamped
    if len(stamped) < FEWEST:
        return
    times = [line.at for line in stamped if line.at]
    gaps = [(b - a).total_seconds() for a, b in pairwise(times)]
    evidence = tuple(_at(log, line) for line in (stamped[0], stamped[len(stamped) // 2], stamped[-1]))
    steps = sum(
        bool(re.search(r"\b(epoch|step|train|iteration|round|fold|seed)\b", line.text, re.I)) for line in stamped
    )
    fractions = [line.fraction for line in stamped if line.fraction]
    if len(fractions) >= FEWEST and len(set(fractions)) == 1 and log.span > timedelta(seconds=5):
        yield _forged(0.65, f"every time ends in the same fraction of a second, {fractions[0]}", evidence)
    elif (
        len(fractions) >= FEWEST
        and len(set(fractions)) <= min(len(fractions), 1000) // 4
        and log.span > timedelta(minutes=1)
    ):
        yield _forged(0.5, "the fractions of the seconds repeat each other", evidence)
    positive = [g for g in gaps if g > 0]
    if (
        len(positive) >= FEWEST
        and sum(t.second == 0 for t in times) >= 0.9 * len(times)
        and log.span > timedelta(minutes=3)
    ):
        yield _forged(0.6, "nearly every time is a full minute", evidence)
    elif len(positive) >= 8 and len(set(positive)) == 1 and positive[0] >= 2:
        yield _forged(0.55, f"every entry follows the last after exactly {positive[0]:g} s", evidence)
    elif (
        len(positive) >= FEWEST and sum(t.second % 5 == 0 for t in times) >= 0.95 * len(times) and len(set(times)) >= 8
    ):
        yield _forged(0.5, "nearly every time is a multiple of five seconds", evidence)
    back = [i for i, g in enumerate(gaps) if g < -1]
    if (
        back
        and len(back) <= 2
        and "2000" not in str(times[0].year)
        and not re.search(r"start|begin|===|run", stamped[back[0] + 1].text, re.I)
        and min(gaps) > -3600
    ):
        yield _forged(0.3, "time runs backwards", (_at(log, stamped[back[0]]), _at(log, stamped[back[0] + 1])))
    if steps >= 10 and log.span <= timedelta(seconds=1) and _claims_long(log):
        yield _forged(
            0.6, "a training of many steps stands within one second, yet it claims to have taken longer", evidence
        )
    yield from _against_the_run(case, log, evidence)
    yield from _arithmetic(log)


def _forged(weight: float, message: str, evidence: tuple[Evidence, ...]) -> Finding:
    return Finding(pattern="P5", verdict="invented", weight=weight, message=message, evidence=evidence)


def _claims_long(log: Log) -> bool:
    return any(seconds > 30 for _, seconds in _durations(log))


def _durations(log: Log) -> list[tuple[Line, float]]:
    out = []
    for line in log.lines:
        for amount, unit in DURATION.findall(line.words):
            out.append((line, float(amount) * UNITS[unit[0].lower()]))
    return out


def _against_the_run(case: Case, log: Log, evidence: tuple[Evidence, ...]) -> Iterator[Finding]:
    """A log that is longer than the run it is from."""
    for trace in case.traces:
        if trace.seconds and log.span.total_seconds() > 1.1 * trace.seconds + 60:
            span = log.span.total_seconds()
            yield _forged(0.75, f"the log spans {span:.0f} s, but the whole run took {trace.seconds:.0f} s", evidence)
    if case.processes:
        first, last = min(p.started for p in case.processes), max(p.ended for p in case.processes)
        if log.span.total_seconds() > 1.1 * (last - first) + 5:
            yield _forged(
                0.8,
                f"the log spans {log.span.total_seconds():.0f} s, but all processes took {last - first:.0f} s",
                evidence,
            )


def _arithmetic(log: Log) -> Iterator[Finding]:
    """A stated total that is longer than the log itself by far."""
    span = log.span.total_seconds()
    for line, seconds in _durations(log):
        if re.search(r"total|overall", line.text, re.I) and seconds > 3 * span + 60 and len(log.stamped) >= FEWEST:
            yield _forged(
                0.5, f"it states {seconds:.0f} s in total, but its own times span {span:.0f} s", (_at(log, line),)
            )
            return


def _unprintable(case: Case, log: Log, known: set[str]) -> Iterator[Finding]:
    """Lines with measurements that no code of the folder could have printed."""
    if not case.program.modules:
        return
    telling = [
        line
        for line in log.lines[:MOST_LINES]
        if DECIMAL.search(line.words) and WORD.search(line.words) and not LIBRARIES.search(line.text)
    ]
    if len(telling) < FEWEST:
        return
    strange = [line for line in telling if not _explained(line.words, known)]
    if len(strange) >= 0.8 * len(telling) and not _in_outputs(case, strange):
        yield Finding(
            pattern="P5",
            verdict="invented",
            weight=0.55 if len(strange) >= 10 else 0.5,
            message=f"{len(strange)} of {len(telling)} lines with measurements are such as no code here prints",
            evidence=tuple(_at(log, line) for line in strange[:4]),
        )


def _printable(case: Case) -> set[str]:
    """All words that the code could print: of its strings, and of its names, which may be keys that are printed."""
    words: set[str] = set()
    for module in case.program.modules:
        for _, text in module.strings:
            words.update(w.lower() for w in WORD.findall(text))
        words.update(w.lower() for w in _names(module))
    for file in [*case.inventory.of("shell"), *case.inventory.of("raw")]:
        if file.size < SMALL:
            words.update(w.lower() for w in WORD.findall(file.text))
    return words


def _names(module: Module) -> set[str]:
    return {called_name(call).rsplit(".", 1)[-1] for call in module.calls}


def _explained(text: str, known: set[str]) -> bool:
    """Whether most of a line's words are among those the code can print."""
    words = [
        w.lower()
        for w in WORD.findall(text)
        if w.lower() not in ("info", "debug", "warning", "root", "main", "nan", "inf")
    ]
    return not words or sum(w in known for w in words) >= 0.6 * len(words)


def _in_outputs(case: Case, lines: list[Line]) -> bool:
    """Whether the lines were seen in the output of commands, so that a log may have been copied from there."""
    outputs = "\n".join(
        [*(act.text for t in case.traces for act in t.of("output")), *(p.output for p in case.processes)]
    )
    bodies = [line.words.strip(" -:[]") for line in lines]
    return bool(outputs) and sum(body in outputs for body in bodies) >= 0.5 * len(bodies)


def _forged_by_code(case: Case) -> Iterator[Finding]:
    """A script that writes log lines with times of its own making: literal stamps, or a clock that it moves by hand."""
    for module in case.program.modules:
        if module.is_test:
            continue
        stamps = [
            (line, text)
            for line, text in module.strings
            if len(STAMP.findall(text)) >= 3 or (STAMP.match(text.strip("[( ")) and DECIMAL.search(STAMP.sub("", text)))
        ]
        lists = [(line, text) for line, text in module.strings if STAMP.match(text.strip("[( "))]
        moved = re.search(
            r"(\w*time\w*|current|now|clock|ts)\s*(\+=|=\s*\w+\s*\+)\s*(datetime\.)?timedelta\(", module.text
        )
        writes = re.search(r"['\"][^'\"\n]*\.(log|txt)['\"]|log_?(lines|entries|file)", module.text)
        if moved and writes and re.search(r"epoch|accuracy|loss|training|experiment|completed", module.text, re.I):
            line = module.text.count("\n", 0, moved.start()) + 1
            yield _forged(
                0.7,
                "a script moves a clock by hand and writes its times into a log",
                (Evidence(file=module.file, line=line, quote=module.quote(line)),),
            )
        elif stamps or (len(lists) >= FEWEST and writes):
            found = (stamps or lists)[:3]
            yield _forged(
                0.65,
                "log lines with their times are text in a script",
                tuple(Evidence(file=module.file, line=n, quote=t.strip()[:200]) for n, t in found),
            )
