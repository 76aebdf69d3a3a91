"""What of a request goes on, and that a stream is split without losing anything."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.environments.command.gateway.answers import read_answer
from assay.environments.command.gateway.requests import passed_on
from assay.environments.command.gateway.streams import events, payload

FUNCTION = {"type": "function", "name": "look"}


@pytest.mark.parametrize(
    ("wire", "tools", "kept"),
    [
        (
            "chat",
            [{"type": "function", "function": {}}, {"type": "web_search"}],
            [{"type": "function", "function": {}}],
        ),
        (
            "responses",
            [FUNCTION, {"type": "web_search"}, {"type": "mcp", "server_url": "http://x"}, {"type": "code_interpreter"}],
            [FUNCTION],
        ),
        (
            "messages",
            [
                {"name": "look"},
                {"type": "web_search_20250305"},
                {"type": "bash_20250124"},
                {"type": "web_fetch_20250910"},
            ],
            [{"name": "look"}, {"type": "bash_20250124"}],
        ),
        (
            "gemini",
            [{"functionDeclarations": [], "googleSearch": {}}, {"google_search": {}}, {"urlContext": {}}],
            [{"functionDeclarations": []}],
        ),
        ("gemini", {"googleSearch": {}}, None),
        ("responses", "everything", None),
    ],
)
def test_tools_that_the_provider_would_use_itself_are_left_out(wire, tools, kept):
    body = {"model": "m", "tools": tools, "tool_choice": "auto"}
    assert passed_on(wire, body, hosted_tools=False).get("tools") == kept
    assert ("tool_choice" in passed_on(wire, body, hosted_tools=False)) == (kept is not None)
    assert passed_on(wire, body, hosted_tools=True)["tools"] == tools


@pytest.mark.parametrize(
    ("wire", "field"),
    [
        ("chat", "service_tier"),
        ("chat", "web_search_options"),
        ("chat", "models"),
        ("responses", "background"),
        ("responses", "service_tier"),
        ("messages", "mcp_servers"),
        ("messages", "speed"),
        ("gemini", "serviceTier"),
        ("gemini", "cachedContent"),
    ],
)
def test_what_could_not_be_counted_is_left_out(wire, field):
    assert passed_on(wire, {"model": "m", field: "x", "stream": False}, hosted_tools=True) == {
        "model": "m",
        "stream": False,
    }


def test_a_chat_as_a_stream_always_has_its_counts():
    for options in (None, {}, {"include_usage": False}, "no"):
        body = passed_on("chat", {"stream": True, "stream_options": options}, hosted_tools=False)
        assert body["stream_options"] == {"include_usage": True}
    assert "stream_options" not in passed_on("chat", {"model": "m"}, hosted_tools=False)


@given(st.lists(st.binary(max_size=12), max_size=8), st.sampled_from([b"\n\n", b"\r\n\r\n"]), st.data())
def test_events_are_the_same_however_the_bytes_arrive(pieces, end, data):
    stream = end.join(b"data: " + piece.replace(b"\n", b"").replace(b"\r", b"") for piece in pieces)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=6)))
    chunks = [stream[a:b] for a, b in zip([0, *cuts], [*cuts, len(stream)], strict=True)]
    found = list(events(chunks))
    assert b"".join(found) == stream
    assert found == list(events([stream]))
    assert len(found) == (len(pieces) if stream else 0)


FIELDS = (
    *("type", "delta", "choices", "message", "usage", "content", "index", "tool_calls", "function", "input", "output"),
    *("response", "error", "candidates", "parts", "usageMetadata", "functionCall", "content_block", "finish_reason"),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(FIELDS),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)


@given(st.sampled_from(["chat", "responses", "messages", "gemini"]), st.lists(JSON, max_size=4))
def test_no_answer_of_any_shape_is_too_strange_to_read(wire, payloads):
    answer = read_answer(wire, payloads)
    answer.text.encode()
    assert all(call.id for call in answer.calls)


@pytest.mark.parametrize("event", [b": comment\n\n", b"data: [DONE]\n\n", b"event: x\n\n", b"data: {\n\n", b""])
def test_events_that_carry_nothing(event):
    assert payload(event) is None


def test_calls_of_a_stream_are_put_together():
    def chat(**call):
        return {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 1, **call}]}}]}

    spoken = [
        {"choices": [{"index": 0, "delta": {"tool_calls": [{"index": 0, "id": "a", "function": {"name": "f"}}]}}]},
        chat(id="b", function={"name": "g", "arguments": '{"x'}),
        chat(function={"arguments": '": 1}'}),
    ]
    answer = read_answer("chat", spoken)
    assert [(c.id, c.name, c.arguments) for c in answer.calls] == [("a", "f", ""), ("b", "g", '{"x": 1}')]

    block = {"type": "tool_use", "id": "c", "name": "h", "input": {}}
    parts = [
        {"type": "content_block_start", "index": 2, "content_block": block},
        *(
            {"type": "content_block_delta", "index": 2, "delta": {"type": "input_json_delta", "partial_json": part}}
            for part in ('{"y"', ": 2}")
        ),
    ]
    answer = read_answer("messages", parts)
    assert [(c.id, c.name, json.loads(c.arguments)) for c in answer.calls] == [("c", "h", {"y": 2})]
    assert answer.counts is None and answer.stop == ""


def test_what_was_written_to_a_cache_is_counted_apart():
    usage = {
        "input_tokens": 10,
        "cache_creation_input_tokens": 300,
        "cache_read_input_tokens": 200,
        "cache_creation": {"ephemeral_1h_input_tokens": 100},
        "output_tokens": 5,
    }
    counts = read_answer("messages", [{"type": "message", "content": [], "usage": usage}]).counts
    assert counts and (counts.input, counts.cached, counts.written, counts.written_for_an_hour) == (510, 200, 300, 100)


def test_half_characters_do_not_reach_the_record():
    answer = read_answer(
        "chat", [{"choices": [{"delta": {"content": part}}]} for part in ("a\ud83d", "\ude00", "\ud800")]
    )
    assert answer.text == "a😀\ufffd"
