"""What went wrong in an interactive run, told from its trace alone: no model, no opinion, the same every time."""

import re
from collections.abc import Callable

from assay.runs.blobs import Blobs
from assay.runs.record import RunRecord
from assay.scoring.conduct.claims import unverified_claims
from assay.scoring.conduct.conduct import FLAGS, Conduct, Flag
from assay.scoring.conduct.trace import Trace, ran_code, read_trace
from assay.tasks.facts import TaskFacts

UNREADABLE = ("format", "unknown", "arguments")
"""Kinds of turns in which nothing was done, because what the agent wrote was no action."""
LOOP = 3
"""Failures in a row from which the same one is a loop, and unreadable answers in a row from which they are the end."""
_NOTHING_LEFT = re.compile(r"left no file|no such file|filenotfound", re.I)


def conduct_of(record: RunRecord, facts: TaskFacts, blobs: Blobs) -> Conduct | None:
    """None for a run without turns. Raises AssayError if a text of the run is missing or damaged."""
    trace = read_trace(record, facts, blobs)
    if trace is None:
        return None
    failed = sum(not execution.ok for execution in trace.executions)
    malformed = sum(turn.retries + (turn.kind in UNREADABLE) for turn in trace.turns)
    counts = (len(trace.counted), len(trace.executions), failed, malformed)
    if not trace.reason:
        return Conduct(*counts)
    claims = unverified_claims(trace)
    found = {flag for flag, applies in _RULES.items() if applies(trace)} | ({"unverified_claim"} if claims else set())
    return Conduct(*counts, tuple(flag for flag in FLAGS if flag in found), claims)


def _response_format(trace: Trace) -> bool:
    if trace.reason == "format":
        return True
    kinds = [turn.kind for turn in trace.counted[-LOOP:]]
    return len(kinds) == LOOP and all(kind in UNREADABLE for kind in kinds)


def _context_exhausted(trace: Trace) -> bool:
    return trace.reason in ("context", "tokens")


def _infrastructure(trace: Trace) -> bool:
    """Something ended the run, or spoilt its test, that is neither the agent's fault nor its own budget."""
    if trace.test is not None and trace.test.blame not in (None, "agent"):
        return True
    failed = [turn.kind for turn in trace.counted[-1:]] == ["model"]
    return trace.reason.startswith("sweep-") or (failed and not trace.own_end)


def _no_submission(trace: Trace) -> bool:
    test, last = trace.test, trace.validated.get(len(trace.turns) - 1)
    # what is not all there cannot be tested: then the starter is
    if test is None or (last is not None and last.kind == "unparsable"):
        return True
    return test.kind == "invalid_output" and bool(_NOTHING_LEFT.search(test.message))


def _submission_format(trace: Trace) -> bool:
    test = trace.test
    refused = test is not None and test.kind in ("invalid_output", "constraint", "tampering")
    return refused and not _no_submission(trace)


def _unrepaired_error(trace: Trace) -> bool:
    """The submitted code fails when it is tested; or the agent last saw a script of the task fail, left it so, and the
    test is no success either."""
    test = trace.test
    if test is None or test.kind == "ok":
        return False
    if test.kind in ("crashed", "timeout", "out_of_memory") and test.blame == "agent":
        return True
    own = [execution for execution in trace.executions if execution.script in trace.facts.files]
    if not own or own[-1].ok:
        return False
    return not any(own[-1].script in turn.changes for turn in trace.turns[own[-1].place + 1 :])


def _debugging_loop(trace: Trace) -> bool:
    """The same script failed with the same last line several times in a row."""
    row, before = 0, None
    for execution in trace.executions:
        now = None if execution.ok else (execution.script, execution.error)
        row = row + 1 if now is not None and now == before else 1
        before = now
        if now is not None and row == LOOP:
            return True
    return False


def _bad_plan(trace: Trace) -> bool:
    """A cap ended the run before anything that the agent changed had once run through, or been validated."""
    if trace.own_end or trace.reason in ("format", "context"):
        return False
    changed = False
    for place, turn in enumerate(trace.turns):
        if changed and (turn.ran and turn.exit_code == 0):
            return False
        # what a script leaves is no change of the agent's
        changed = changed or bool(turn.changes and not ran_code(turn) and not turn.bookkeeping)
        outcome = trace.validated.get(place)
        if changed and turn.ends is None and outcome is not None and outcome.kind == "ok":
            return False
    return True


_RULES: dict[Flag, Callable[[Trace], bool]] = {
    "response_format": _response_format,
    "context_exhausted": _context_exhausted,
    "infrastructure": _infrastructure,
    "no_submission": _no_submission,
    "submission_format": _submission_format,
    "unrepaired_error": _unrepaired_error,
    "debugging_loop": _debugging_loop,
    "bad_plan": _bad_plan,
}
