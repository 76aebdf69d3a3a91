"""The call log of a stage: what a model called comes back, and lines from before there were tools are still read."""

from pathlib import Path

from assay.models.base import Completion, Message, Prompt, ToolCall
from assay.models.usage import Usage
from assay.research.calls import StageCalls, read_calls
from assay.runs.spec import Caps

PROMPT = Prompt(messages=(Message(role="user", content="look at it"),))


def test_calls_and_their_state_are_found_again_and_not_written_where_there_are_none(tmp_path: Path) -> None:
    file = tmp_path / "calls.ndjson"
    calls = (ToolCall(id="1", name="look", arguments='{"at": '), ToolCall(id="2", name="look", arguments="{}"))
    with_calls = Completion(text="", stop="tool_call", calls=calls, state="sealed", usage=Usage(calls=1))
    without = Completion(text="seen", usage=Usage(calls=1))
    first = StageCalls(file, "idea", "openai:gpt-5", Caps())
    first.save("k", PROMPT, with_calls, 0.1)
    first.save("k", PROMPT, without, 0.1)
    lines = file.read_text().splitlines()
    assert '"calls":[' in lines[0] and '"calls":[' not in lines[1] and '"state"' not in lines[1]
    again = StageCalls(file, "idea", "openai:gpt-5", Caps())
    assert [again.find("k"), again.find("k"), again.find("k")] == [with_calls, without, None]
    assert [call.completion for call in read_calls(file)] == [with_calls, without]
