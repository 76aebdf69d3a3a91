"""The environment through native tool calls."""

from typing import Any

import pytest

from assay.models.base import ToolCall
from assay.models.testing import Asked, Fail, Reply, Say, ScriptedServer


def test_an_answer_may_call_several_tools(carry: Any, talk: Any) -> None:
    both = Say("I do both.", calls=(*talk.saying("tools", *talk.steep).calls, *talk.saying("tools", *talk.run).calls))
    with ScriptedServer([both, talk.saying("tools", *talk.done)]) as server:
        ran = carry("tools", server.model)
    assert [turn.action for turn in ran.turns] == ["Replace in File", "Execute Script", "Final Answer"]
    assert ran.improved and len(server.asked) == 2
    results = [message for message in server.asked[1].body["messages"] if message["role"] == "tool"]
    assert len(results) == 2 and "exit code 0" in results[1]["content"]
    assert "I do both." in ran.of("proposed")[0].description


@pytest.mark.parametrize("ids", [("", ""), ("same", "same")])
def test_calls_without_ids_of_their_own_are_told_apart(ids: tuple[str, str], carry: Any, talk: Any) -> None:
    call = ToolCall(id="", name="list_files", arguments='{"dir_path": "."}')
    twice = Say(calls=tuple(call.model_copy(update={"id": id}) for id in ids))
    with ScriptedServer([twice, twice, talk.saying("tools", *talk.done)]) as server:
        ran = carry("tools", server.model)
    assert [turn.kind for turn in ran.turns] == ["ok"] * 4 + ["end"]


def test_tools_are_offered_with_their_arguments(carry: Any, talk: Any) -> None:
    with ScriptedServer([talk.saying("tools", *talk.done)]) as server:
        carry("tools", server.model)
    tools = {tool["function"]["name"]: tool["function"] for tool in server.asked[0].body["tools"]}
    assert {"list_files", "write_file", "execute_script", "replace_in_file", "validate", "final_answer"} <= set(tools)
    assert "edit_script_ai" not in tools
    schema = tools["inspect_script_lines"]["parameters"]
    assert schema["properties"]["start_line_number"]["type"] == "integer" and len(schema["required"]) == 3


def test_a_conversation_that_is_too_long_is_shortened(carry: Any, talk: Any) -> None:
    loud = {"file_name": "loud.py", "content": "print('x' * 9000)\n"}
    deeds = [("Write File", loud), ("Execute Script", {"script_name": "loud.py"}), ("List Files", {"dir_path": "."})]
    replies = iter(talk.script("tools", *deeds, talk.done))

    def answer(asked: Asked) -> Reply:
        too_long = len(asked.text) > 8000
        return Fail(400, "This model's maximum context length is 8192 tokens") if too_long else next(replies)

    with ScriptedServer(answer) as server:
        ran = carry("tools", server.model, context_chars=20_000)
    assert ran.record.finished.reason == "submitted"
    assert [turn.retries for turn in ran.turns] == [0, 0, 2, 2]
    assert "left out" in server.asked[-1].text
