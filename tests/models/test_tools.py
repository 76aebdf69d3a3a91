"""Tool calls over every provider's own wire: what goes out, what comes back, and what a model may say wrongly."""

import json
import random
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assay.models.base import Client, Completion, Message, ModelSettings, Prompt, Tool, ToolCall
from assay.models.client import open_client
from assay.models.names import KEY_VARIABLES
from assay.models.retry import RetryPolicy
from assay.models.testing import Say, ScriptedServer
from assay.models.wire import DEEPEST, to_messages
from assay.tasks.candidate import text_digest

READ = Tool(
    name="read_file",
    description="The text of a file of the workspace.",
    parameters={"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
)
RUN = Tool(name="run", description="Runs the experiment.", parameters={"type": "object", "properties": {}})
PROMPT = Prompt(
    messages=(Message(role="system", content="be brief"), Message(role="user", content="improve it")),
    tools=(READ, RUN),
)
PROVIDERS = {
    "openai": "openai:gpt-5@{url}",
    "anthropic": "anthropic:claude-sonnet-4-5@{address}",
    "google": "google:gemini-2.5-pro@{address}",
    "openrouter": "openrouter:anthropic/claude-sonnet-4.5@{url}",
    "openai-compatible": "openai-compatible:anything@{url}",
}


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variables in KEY_VARIABLES.values():
        for variable in variables:
            monkeypatch.setenv(variable, "a-key")
    yield


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def opened(provider: str, server: ScriptedServer, **how: str) -> Client:
    name = PROVIDERS[provider].format(url=server.url, address=server.address)
    policy = RetryPolicy(attempts=1, sleep=lambda _: None, rng=random.Random(0))
    return open_client(name, ModelSettings.model_validate(how), policy)


def called(arguments: str, id: str = "one", name: str = "read_file") -> ToolCall:
    return ToolCall(id=id, name=name, arguments=arguments)


def answered(prompt: Prompt, completion: Completion, *results: str) -> Prompt:
    turns = (call.answered(result) for call, result in zip(completion.calls, results, strict=True))
    return prompt.then(completion.message, *turns)


def test_a_call_its_result_and_the_words_after_it(provider: str) -> None:
    script = [Say("I read it first.", calls=(called('{"path": "a.py"}'),)), Say("It is done.")]
    with ScriptedServer(script) as server:
        client = opened(provider, server)
        asks = client.complete(PROMPT)
        says = client.complete(answered(PROMPT, asks, "X = 1\n"))
    assert (asks.text, asks.stop, asks.usable) == ("I read it first.", "tool_call", True)
    assert asks.calls == (called('{"path": "a.py"}'),) and asks.state == ""
    assert asks.usage.calls == 1 and asks.usage.tokens == 110
    assert (says.text, says.stop, says.calls) == ("It is done.", "stop", ())
    offered = json.dumps(server.asked[0].body["tools"])
    assert all(tool.name in offered and tool.description in offered for tool in PROMPT.tools) and '"path"' in offered
    assert server.asked[1].last == "X = 1\n" and "I read it first." in server.asked[1].text
    assert "a.py" in json.dumps(server.asked[1].body) and '"one"' in json.dumps(server.asked[1].body)


def test_several_calls_in_one_answer_without_a_word_are_usable_and_go_back_together(provider: str) -> None:
    calls = (called('{"path": "a"}'), called('{"path": "b"}', id="two"), called("{}", id="three", name="run"))
    with ScriptedServer([Say(calls=calls), Say("both read")]) as server:
        client = opened(provider, server)
        asks = client.complete(PROMPT)
        # an empty result is a result; not every provider takes one
        after = answered(PROMPT, asks, "text of a", "text of b", "")
        assert client.complete(after).text == "both read"
    assert (asks.text, asks.stop, asks.usable, asks.calls) == ("", "tool_call", True, calls)
    said = server.asked[1].text
    assert said.index("text of a") < said.index("text of b") < said.index("(nothing)")


def test_thoughts_go_back_with_the_results_sealed_as_they_came(provider: str) -> None:
    thought = "so\ud800 be it"
    script = [Say(calls=(called("{}", name="run"),), thought=thought), Say("done"), Say("done")]
    with ScriptedServer(script) as server:
        client = opened(provider, server, reasoning="low")
        asks = client.complete(PROMPT)
        client.complete(answered(PROMPT, asks, "0.9"))
        lost = asks.model_copy(update={"state": "of a version that wrote it otherwise"})
        client.complete(answered(PROMPT, lost, "0.9"))
    assert "so\ufffd be it" in asks.state and asks.text == ""
    back, without = (json.dumps(asked.body, ensure_ascii=False) for asked in server.asked[1:])
    assert "so\ufffd be it" in back and "so\ufffd be it" not in without
    if provider != "openai-compatible":
        assert text_digest(thought) in back and text_digest(thought) not in without


def test_where_a_provider_gives_no_id_or_one_twice_calls_are_told_apart_the_same_in_every_run(provider: str) -> None:
    twice = (called('{"path": "a"}', id="same"), called('{"path": "b"}', id="same"), called("{}", id=""))
    script = [Say(calls=twice), Say(calls=twice), Say("done")]
    seen = []
    for _ in range(2):
        with ScriptedServer(script) as server:
            client = opened(provider, server)
            first = client.complete(PROMPT)
            prompt = answered(PROMPT, first, "1", "2", "3")
            second = client.complete(prompt)
            assert client.complete(answered(prompt, second, "4", "5", "6")).text == "done"
        seen.append([call.id for call in (*first.calls, *second.calls)])
    assert seen[0] == seen[1] and len(set(seen[0])) == 6 and seen[0][0] == "same"


MALFORMED = {
    "cut off": '{"path": "a',
    "no JSON": "path=a",
    "no object": '["a"]',
    "nothing": "",
    "no number": '{"path": NaN}',
    "beyond all bounds": '{"path": 1e999}',
    "half a character": '{"path": "\\ud800"}',
    "too deep to read": '{"path": ' + "[" * 5000 + "]" * 5000 + "}",
    "too deep to send": '{"path": ' + "[" * 150 + "]" * 150 + "}",
    "another tool's": '{"no": {"such": "parameter"}}',
}


@pytest.mark.parametrize("arguments", MALFORMED.values(), ids=MALFORMED.keys())
@pytest.mark.parametrize("provider", [name for name in PROVIDERS if name not in ("google", "anthropic")], indirect=True)
def test_arguments_are_given_on_as_the_model_wrote_them_and_can_go_back(provider: str, arguments: str) -> None:
    with ScriptedServer([Say(calls=(called(arguments, name="no such tool!"),)), Say("sorry")]) as server:
        client = opened(provider, server)
        asks = client.complete(PROMPT)
        assert asks.calls == (called(arguments, name="no such tool!"),) and asks.usable
        assert client.complete(answered(PROMPT, asks, "those are no arguments")).text == "sorry"
    assert server.asked[1].last == "those are no arguments"


def test_arguments_that_are_no_object_survive_a_wire_that_carries_objects() -> None:
    with ScriptedServer([Say(calls=(called('{"path": "a'),)), Say("sorry")]) as server:
        client = opened("anthropic", server)
        asks = client.complete(PROMPT)
        assert asks.calls == (called('{"path": "a'),)
        assert client.complete(answered(PROMPT, asks, "no")).text == "sorry"
    sent = server.asked[1].body["messages"][1]["content"]
    assert sent[0]["input"] == {"INVALID_JSON": '{"path": "a'}


def test_a_call_that_google_could_not_read_is_an_empty_answer_and_no_crash() -> None:
    with ScriptedServer([Say(calls=(called('{"path": "a'),))]) as server:
        lost = opened("google", server).complete(PROMPT)
    assert (lost.stop, lost.usable, lost.calls, lost.usage.calls) == ("empty", False, (), 1)


def test_an_answer_cut_off_at_the_limit_keeps_its_calls_and_says_so(provider: str) -> None:
    with ScriptedServer([Say(stop="length", calls=(called('{"path": "a"}'),))]) as server:
        cut = opened(provider, server).complete(PROMPT)
    assert (cut.stop, cut.usable, cut.calls) == ("length", True, (called('{"path": "a"}'),))


nested = st.recursive(
    st.none() | st.floats() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text() | nested.map(json.dumps) | st.dictionaries(st.text(), nested).map(json.dumps), st.text())
def test_whatever_a_model_calls_can_be_written_as_a_request(arguments: str, name: str) -> None:
    call = called(arguments, name=name)
    turn = Message(role="assistant", content="", calls=(call,))
    response = to_messages(PROMPT.then(turn, call.answered("ok")), "any")[2]
    (part,) = response.parts
    assert isinstance(part.args, dict) and part.tool_name.isascii() and part.tool_name  # type: ignore[union-attr]
    written = json.dumps(part.args, allow_nan=False, ensure_ascii=False).encode()  # type: ignore[union-attr]
    assert json.loads(written) in (_read(arguments), {"INVALID_JSON": arguments})


def _read(text: str) -> object:
    try:
        return json.loads(text or "{}")
    except ValueError:
        return {} if not text.strip() else None


def test_what_is_nested_as_deep_as_allowed_goes_back_as_it_is() -> None:
    for depth, kept in ((DEEPEST - 1, True), (DEEPEST, False)):
        call = called('{"a": ' + "[" * depth + "]" * depth + "}")
        turn = Message(role="assistant", content="", calls=(call,))
        (part,) = to_messages(PROMPT.then(turn, call.answered("ok")), "any")[2].parts
        assert ("a" in part.args) is kept  # type: ignore[union-attr, operator]
