"""Prices, waits, the log of calls, and replay."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.models.base import Completion, Message, ModelSettings, ModelUnavailable, Prompt
from assay.models.logged import LoggedClient
from assay.models.prices import price, priced, worst_call, worst_case
from assay.models.replay import NotRecorded, ReplayClient
from assay.models.retry import RetryPolicy, Transient
from assay.models.usage import Usage

MODEL = "openai-compatible:m"
SETTINGS = ModelSettings()


def question(text: str) -> Prompt:
    return Prompt(messages=(Message(role="user", content=text),))


def test_prices_count_input_cache_and_output_apart() -> None:
    plain = price("openai:gpt-5", Usage(input_tokens=1_000_000))
    cached = price("openai:gpt-5", Usage(input_tokens=1_000_000, cached_tokens=1_000_000))
    said = price("openai:gpt-5", Usage(output_tokens=1_000_000))
    thought = price("openai:gpt-5", Usage(output_tokens=1_000_000, reasoning_tokens=1_000_000))
    assert plain and cached and said
    assert 0 < cached < plain < said and thought == said


def test_what_a_provider_writes_to_its_cache_costs_more_than_what_it_reads_once() -> None:
    prompt = Usage(input_tokens=1_000_000)
    plain, written, long = (price("anthropic:claude-haiku-4-5", prompt, *n) for n in ((), (10**6,), (10**6, 10**6)))
    assert plain and written and long and plain < written < long
    assert price("openai:gpt-5", prompt, 10**6) == price("openai:gpt-5", prompt), "some charge nothing for it"


def test_an_unknown_price_is_none_and_makes_the_sum_unknown() -> None:
    assert price("openai:a-model-of-nobody", Usage(input_tokens=1)) is None
    assert price("openai-compatible:gpt-5", Usage(input_tokens=1)) is None
    assert price("offline", Usage()) == 0.0
    assert priced("openai:gpt-5") and not priced(MODEL)
    call = Usage(calls=1, input_tokens=10, output_tokens=5)
    assert worst_case(MODEL, (call, call)) == Usage(calls=2, input_tokens=20, output_tokens=10, usd=None)
    total = worst_case("openai:gpt-5", (call, call))
    assert total.usd == pytest.approx(2 * (price("openai:gpt-5", call) or 0))


def test_the_dearest_call_is_as_long_as_prompt_and_limit_allow() -> None:
    assert worst_call(ModelSettings(max_output_tokens=100), 1000) == Usage(calls=1, input_tokens=501, output_tokens=100)


@given(st.integers(1, 40), st.one_of(st.none(), st.floats(0, 1e6)), st.integers())
def test_waits_are_bounded_and_never_shorter_than_asked(attempt: int, asked: float | None, seed: int) -> None:
    policy = RetryPolicy(rng=random.Random(seed))
    wait = policy.wait(attempt, asked)
    assert 0.5 <= wait <= policy.longest_seconds
    assert wait >= min(asked or 0.0, policy.longest_seconds)


def test_retries_stop_after_the_last_attempt() -> None:
    waits: list[float] = []
    calls = []

    def call() -> None:
        calls.append(1)
        raise Transient("busy")

    with pytest.raises(ModelUnavailable, match="it gave no answer in 3 attempts; the last: busy"):
        RetryPolicy(attempts=3, sleep=waits.append).run(call, "it")
    assert (len(calls), len(waits)) == (3, 2)


def test_the_key_of_a_call_knows_everything_that_decides_the_answer_and_nothing_else() -> None:
    one = question("a").key(MODEL, SETTINGS)
    assert one == question("a").key(MODEL, ModelSettings(timeout_seconds=1))
    others = {
        question("b").key(MODEL, SETTINGS),
        question("a").key("openai:m", SETTINGS),
        question("a").key(MODEL, ModelSettings(temperature=0)),
        question("a").key(MODEL, ModelSettings(reasoning="high")),
        question("a").then(Message(role="assistant", content="x")).key(MODEL, SETTINGS),
        Prompt(messages=(Message(role="system", content="a"),)).key(MODEL, SETTINGS),
    }
    assert len(others | {one}) == 7


class Log:
    """A log in memory that says what it was asked."""

    def __init__(self, known: dict[str, Completion]) -> None:
        self.known = known
        self.saved: list[tuple[str, str]] = []
        self.paid = 0

    def before_call(self) -> None:
        self.paid += 1

    def find(self, key: str) -> Completion | None:
        return self.known.pop(key, None)

    def save(self, key: str, prompt: Prompt, completion: Completion, seconds: float) -> None:
        self.saved.append((key, completion.text))


def test_a_logged_client_asks_only_for_what_is_not_recorded_and_saves_what_it_asked() -> None:
    first, second = question("one"), question("two")
    log = Log({first.key(MODEL, SETTINGS): Completion(text="recorded")})
    asked = ReplayClient(MODEL, SETTINGS, [(second.key(MODEL, SETTINGS), Completion(text="paid"))], "here")
    client = LoggedClient(asked, log)
    assert client.complete(first).text == "recorded" and log.paid == 0
    assert client.complete(second).text == "paid" and log.paid == 1
    assert log.saved == [(second.key(MODEL, SETTINGS), "paid")]


def test_replay_answers_in_order_from_any_address_and_fails_loudly_when_it_has_nothing() -> None:
    same = question("how?")
    key = same.key(MODEL, SETTINGS)
    records = [(key, Completion(text="first")), (key, Completion(text="second"))]
    client = ReplayClient(f"{MODEL}@http://127.0.0.1:9/v1", SETTINGS, records, "results")
    assert [client.complete(same).text, client.complete(same).text] == ["first", "second"]
    with pytest.raises(NotRecorded, match=r"results holds no \(further\) answer .* to: how\?"):
        client.complete(same)
