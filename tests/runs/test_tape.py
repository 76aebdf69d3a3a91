"""Calls of tools in the record: a run that is continued or replayed gets back what the model called."""

import json
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from assay.models.base import Completion, Message, ModelSettings, Prompt, Tool, ToolCall
from assay.models.client import open_client
from assay.models.logged import LoggedClient
from assay.models.replay import ReplayClient
from assay.models.testing import Asked, Say, ScriptedServer
from assay.models.usage import Usage
from assay.runs.blobs import Blobs
from assay.runs.events import EVENT, Called, Stepped
from assay.runs.journal import Journal, open_journal
from assay.runs.machine import machine, versions
from assay.runs.paths import ResultPaths
from assay.runs.record import Header
from assay.runs.run import recorded_calls
from assay.runs.spec import RunSpec
from assay.runs.tape import Tape
from assay.sandbox.job import Isolation

SPEC = RunSpec(agent="nop", task="tiny/valley")
SETTINGS = ModelSettings()
LOOK = Tool(name="look", description="Looks.", parameters={"type": "object", "properties": {"at": {"type": "string"}}})
FIRST = Prompt(messages=(Message(role="user", content="look at it"),), tools=(LOOK,))
LINE = (
    '{"type":"called","clock":{"at":1.0,"seconds":0.0,"evaluation":null},"key":"k","prompt":"p","answer":"a","stop":"'
)


def opened(results: Path) -> tuple[Journal, Tape]:
    def header() -> Header:
        isolation = Isolation(level="none")
        return Header(spec=SPEC, task_digest="0", isolation=isolation, versions=versions(), machine=machine())

    paths = ResultPaths(results)
    journal = open_journal(paths.run(SPEC.run_id), SPEC, header)
    return journal, Tape(journal, Blobs(paths.blobs), lambda spent: None)


def looks_twice_then_speaks(asked: Asked) -> Say:
    turn = asked.text.count("seen")
    calls = (ToolCall(id="", name="look", arguments='{"at": "it'), ToolCall(id="", name="look", arguments=f"{turn}"))
    return Say("I have seen it.") if turn == 4 else Say(calls=calls, thought=f"thought {turn}")


def converse(client: LoggedClient) -> list[Completion]:
    """An agent of the simplest kind: every call is answered, until there are none."""
    prompt, answers = FIRST, [client.complete(FIRST)]
    while calls := answers[-1].calls:
        prompt = prompt.then(answers[-1].message, *(call.answered("seen") for call in calls))
        answers.append(client.complete(prompt))
    return answers


def test_a_conversation_with_calls_is_continued_after_any_answer_and_replayed_without_a_model(tmp_path: Path) -> None:
    with ScriptedServer(looks_twice_then_speaks) as server:
        client = open_client(server.model, SETTINGS)
        journal, tape = opened(tmp_path)
        with journal:
            said = converse(LoggedClient(client, tape))
        assert [len(answer.calls) for answer in said] == [2, 2, 0] and "thought 0" in said[0].state
        assert said[0].calls[0].arguments == '{"at": "it' and len({c.id for a in said for c in a.calls}) == 4
        lines = journal.paths.events.read_bytes().splitlines(keepends=True)
        for kept in range(len(lines) + 1):
            journal.paths.events.write_bytes(b"".join(lines[:kept]))
            already = len(server.asked)
            journal, tape = opened(tmp_path)
            with journal:
                assert tape.take(Stepped) is None  # the record holds no more than calls: go on from them
                assert converse(LoggedClient(client, tape)) == said
            assert len(server.asked) - already == len(lines) - kept
    replayed = ReplayClient(server.model, SETTINGS, recorded_calls(tmp_path, SPEC.run_id), "here")
    _, tape = opened(tmp_path / "other")
    assert converse(LoggedClient(replayed, tape)) == said


def test_events_without_calls_are_written_and_read_as_before_there_were_any() -> None:
    old = LINE + 'stop","usage":' + Usage(calls=1).model_dump_json() + "}"
    event = EVENT.validate_json(old)
    assert isinstance(event, Called) and event.calls == "" and event.model_dump_json() == old
    called = event.model_copy(update={"calls": "digest"})
    assert EVENT.validate_json(called.model_dump_json()) == called
    assert json.loads(called.model_dump_json())["calls"] == "digest"


words = st.text(st.characters(exclude_categories=["Cs"]))


@settings(max_examples=30, deadline=None)
@given(words, words, st.lists(st.tuples(words, words, words), max_size=3))
def test_whatever_was_answered_is_read_back(text: str, state: str, calls: list[tuple[str, str, str]]) -> None:
    made = tuple(ToolCall(id=id, name=name, arguments=arguments) for id, name, arguments in calls)
    answer = Completion(text=text, calls=made, state=state if made else "", usage=Usage(calls=1))
    with tempfile.TemporaryDirectory() as results:
        journal, tape = opened(Path(results))
        with journal:
            tape.save("key", FIRST, answer, 0.0)
        assert list(recorded_calls(Path(results), SPEC.run_id)) == [("key", answer)]
