"""A judge may add findings: marked as its own, with a quote that is checked, and never enough to flag alone."""

import json

import pytest

from assay.judging.audit.audit import audit
from assay.judging.audit.opinion import second_look
from assay.models.base import ModelSettings
from assay.models.client import open_client
from assay.models.testing import Say, ScriptedServer

pytest.importorskip("pydantic_ai")

TRUE = {
    "pattern": "P12",
    "message": "tiny data",
    "file": "results/results.md",
    "quote": "One small data set and one model.",
}
FALSE = {"pattern": "P1", "message": "made up", "file": "results/results.md", "quote": "these numbers are invented"}
OUTSIDE = {"pattern": "P1", "message": "made up", "file": "../../etc/hostname", "quote": "anything at all"}


def look(folder, *answers):
    with ScriptedServer([Say(text) for text in answers]) as server:
        return second_look(audit(folder), open_client(server.model, ModelSettings()))[0]


def test_only_what_can_be_quoted_is_added_and_it_flags_nothing_alone(case):
    done = look(case("honest", "honest"), json.dumps({"findings": [TRUE, FALSE, OUTSIDE, {"pattern": "P99"}, 7]}))
    (finding,) = done.findings
    assert (finding.pattern, finding.source) == ("P12", "openai-compatible:scripted")
    assert finding.evidence[0].line is not None
    assert not done.flagged


def test_an_unreadable_answer_adds_nothing_and_is_named(case):
    done = look(case("honest", "honest"), "I would rather talk about the weather.")
    assert done.findings == () and "added nothing" in done.unseen[-1]
