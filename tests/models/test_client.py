"""The real client against a real server on loopback: what is sent, what comes back, what happens when it does not."""

import random
import threading
from collections.abc import Iterator

import pytest

from assay.errors import UsageError
from assay.models.base import Client, Message, ModelSettings, ModelUnavailable, Prompt
from assay.models.client import open_client
from assay.models.names import KEY_VARIABLES
from assay.models.retry import RetryPolicy
from assay.models.testing import CutOff, Fail, Garbage, Reply, Say, ScriptedServer, Silence

PROMPT = Prompt(
    messages=(
        Message(role="system", content="be brief"),
        Message(role="user", content="first question"),
        Message(role="assistant", content="first answer"),
        Message(role="user", content="second question"),
    )
)
SECRET = "sk-very-secret-key"


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for variables in KEY_VARIABLES.values():
        for variable in variables:
            monkeypatch.setenv(variable, SECRET)
    yield


def scripted(server: ScriptedServer, waits: list[float] | None = None, **settings: float) -> Client:
    policy = RetryPolicy(attempts=4, sleep=(waits if waits is not None else []).append, rng=random.Random(0))
    return open_client(server.model, ModelSettings(**settings), policy)


PROVIDERS = {
    "openai:gpt-5@{url}": ("/v1/responses", "refused", 20),
    "anthropic:claude-sonnet-4-5@{address}": ("/v1/messages", "refused", 0),
    "google:gemini-2.5-pro@{address}": ("gemini-2.5-pro:generateContent", "refused", 20),
    "openrouter:anthropic/claude-sonnet-4.5@{url}": ("/v1/chat/completions", "refused", 20),
    "openai-compatible:anything@{url}": ("/v1/chat/completions", "refused", 20),
}


@pytest.mark.parametrize(("name", "expected"), PROVIDERS.items(), ids=[n.partition(":")[0] for n in PROVIDERS])
def test_every_provider_answers_over_its_own_wire(name: str, expected: tuple[str, str, int]) -> None:
    path, refusal, reasoning = expected
    replies = [
        Say("the answer", input_tokens=1000, cached_tokens=400, output_tokens=50, reasoning_tokens=20),
        Say("half an ans", stop="length"),
        Say("I will not", stop="refused"),
        Say(""),
    ]
    with ScriptedServer(replies) as server:
        settings = ModelSettings(reasoning="low", max_output_tokens=4096)
        client = open_client(name.format(url=server.url, address=server.address), settings)
        answered, cut, refused, empty = (client.complete(PROMPT) for _ in range(4))
    asked = server.asked[0]
    assert asked.path.endswith(path)
    assert all(m.content in asked.text for m in PROMPT.messages) and asked.last == "second question"
    assert "4096" in str(asked.body) and SECRET in str(asked.headers)
    assert (answered.text, answered.stop) == ("the answer", "stop")
    spent = answered.usage
    assert (spent.calls, spent.input_tokens, spent.cached_tokens, spent.output_tokens) == (1, 1000, 400, 50)
    assert spent.reasoning_tokens == reasoning
    assert (cut.text, cut.stop) == ("half an ans", "length")
    assert (refused.stop, refused.usable) == (refusal, False)
    assert (empty.stop, empty.usable) == ("empty", False)
    assert client.model == name.partition("@")[0]
    if client.model.startswith("openai-compatible"):
        assert spent.usd is None and asked.body["reasoning_effort"] == "low"
    else:
        assert spent.usd is not None and 0 < spent.usd < 0.01


def test_temperature_is_sent_where_it_is_given() -> None:
    with ScriptedServer([Say("a"), Say("b")]) as server:
        scripted(server, temperature=0.25).complete(PROMPT)
        scripted(server).complete(PROMPT)
    assert server.asked[0].body["temperature"] == 0.25
    assert "temperature" not in server.asked[1].body


PASSING: dict[str, list[Reply]] = {
    "rate limit": [Fail(429), Fail(429)],
    "server errors": [Fail(500), Fail(502), Fail(503)],
    "overloaded": [Fail(529)],
    "cut connection": [CutOff()],
    "not the protocol": [Garbage(), Garbage('{"choices": []}', "application/json"), Garbage("{", "application/json")],
}


@pytest.mark.parametrize("failures", PASSING.values(), ids=PASSING.keys())
def test_what_may_pass_is_tried_again_with_growing_waits(failures: list[Reply]) -> None:
    waits: list[float] = []
    with ScriptedServer([*failures, Say("at last")]) as server:
        assert scripted(server, waits).complete(PROMPT).text == "at last"
    assert len(server.asked) == len(failures) + 1
    assert [0.5 * 2**i <= wait <= 2**i for i, wait in enumerate(waits)] == [True] * len(failures)


def test_a_server_that_says_how_long_to_wait_is_believed_up_to_a_limit() -> None:
    waits: list[float] = []
    replies: list[Reply] = [
        Fail(429, headers={"Retry-After": "7"}),
        Fail(429, headers={"Retry-After": "86400"}),
        Say("ok"),
    ]
    with ScriptedServer(replies) as server:
        assert scripted(server, waits).complete(PROMPT).text == "ok"
    assert waits == [7.0, RetryPolicy().longest_seconds]


def test_a_silent_server_is_given_up_and_tried_again() -> None:
    with ScriptedServer([Silence(), Say("ok")]) as server:
        assert scripted(server, timeout_seconds=0.2).complete(PROMPT).text == "ok"


def test_after_all_attempts_the_failure_has_a_name_and_no_key() -> None:
    said = "no answer in 4 attempts; the last: HTTP 500: broken with"
    broken = ScriptedServer([Fail(500, f"broken with {SECRET}")] * 4)
    with broken as server, pytest.raises(ModelUnavailable, match=said) as caught:
        scripted(server).complete(PROMPT)
    assert SECRET not in caught.value.message + caught.value.hint
    assert "continues it" in caught.value.hint
    gone = server.model
    with pytest.raises(ModelUnavailable, match="2 attempts"):
        open_client(gone, ModelSettings(), RetryPolicy(attempts=2, sleep=lambda _: None)).complete(PROMPT)


CURABLE = {
    "wrong key": (Fail(401, f"bad {SECRET}"), UsageError, "key was not accepted", "OPENAI_COMPATIBLE_API_KEY"),
    "wrong model": (Fail(404, "no such model"), UsageError, "no such model", "name"),
    "wrong setting": (Fail(400, "temperature is not supported"), UsageError, "rejected", "setting"),
    "no money": (Fail(402, "pay first"), ModelUnavailable, "quota", "top up"),
}


@pytest.mark.parametrize(("reply", "kind", "message", "hint"), CURABLE.values(), ids=CURABLE.keys())
def test_what_cannot_pass_is_said_at_once_with_its_cure(
    reply: Reply, kind: type[Exception], message: str, hint: str
) -> None:
    with ScriptedServer([reply]) as server, pytest.raises(kind, match=message) as caught:
        scripted(server).complete(PROMPT)
    assert hint in caught.value.hint  # type: ignore[attr-defined]
    assert SECRET not in str(caught.value)
    assert len(server.asked) == 1


def test_a_prompt_beyond_the_context_window_is_an_answer_and_no_crash() -> None:
    with ScriptedServer([Fail(400, "maximum context length exceeded")]) as server:
        completion = scripted(server).complete(PROMPT)
    assert (completion.stop, completion.usable, completion.usage.calls) == ("too_long", False, 1)


def test_half_characters_are_mended_so_that_files_and_journals_can_hold_them() -> None:
    with ScriptedServer([Say("a\ud800b\ud83d\ude00c")]) as server:
        text = scripted(server).complete(PROMPT).text
    assert text == "a\ufffdb\U0001f600c"


def test_one_client_serves_many_threads() -> None:
    with ScriptedServer(lambda asked: Say(asked.last)) as server:
        client = scripted(server)
        said: dict[int, str] = {}

        def ask(number: int) -> None:
            said[number] = client.complete(Prompt(messages=(Message(role="user", content=str(number)),))).text

        threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert said == {number: str(number) for number in range(8)}


def test_a_missing_package_is_said_with_the_way_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pydantic_ai.models", None)
    with pytest.raises(UsageError, match="not installed") as caught:
        open_client("openai:gpt-5", ModelSettings())
    assert "assay-bench[models]" in caught.value.hint
