"""The contract itself: which conversations there are, what they are called, and what is written of them."""

import pytest
from pydantic import ValidationError

from assay.models.base import Completion, Message, ModelSettings, Prompt, Tool, ToolCall
from assay.models.prices import worst_call, worst_conversation

PLAIN = Prompt(
    messages=(
        Message(role="system", content="be brief"),
        Message(role="user", content="say “hello”"),
        Message(role="assistant", content="hello"),
        Message(role="user", content="again"),
    )
)
LOOK = Tool(name="look", description="Looks.", parameters={"type": "object", "properties": {"at": {"type": "string"}}})
CALL = ToolCall(id="c1", name="look", arguments='{"at": "it"}')
ASKS = Message(role="assistant", content="I look.", calls=(CALL,))
MODEL = "openai:gpt-5.4"


def test_prompts_without_tools_have_the_keys_and_texts_they_had_before_there_were_tools() -> None:
    assert PLAIN.key(MODEL, ModelSettings()) == "2d457111a4f23b61dc280849c74148e1e38e03e70bee3f1a30a437e0ed995a0a"
    asked = ModelSettings(reasoning="low", temperature=0.5, max_output_tokens=100, timeout_seconds=7)
    digest = "9490a0aad7f60559263246d538b71d289b814c80b82970f2500ae4627bab97fb"
    assert PLAIN.key("anthropic:claude-sonnet-4-5", asked) == digest
    assert PLAIN.text == "[system]\nbe brief\n\n[user]\nsay “hello”\n\n[assistant]\nhello\n\n[user]\nagain"


def test_the_key_knows_tools_calls_results_and_state() -> None:
    whole = Prompt(messages=PLAIN.messages, tools=(LOOK,)).then(ASKS, CALL.answered("seen"))

    def changed(message: Message, at: int) -> Prompt:
        turns = list(whole.messages)
        turns[at] = message
        return Prompt(messages=tuple(turns), tools=whole.tools)

    other = CALL.model_copy(update={"arguments": "{}"})
    variants = [
        whole,
        PLAIN,
        PLAIN.then(ASKS, CALL.answered("seen")),
        Prompt(messages=PLAIN.messages, tools=(LOOK,)),
        Prompt(messages=whole.messages, tools=(LOOK.model_copy(update={"description": "Looks away."}),)),
        Prompt(messages=whole.messages, tools=(LOOK.model_copy(update={"parameters": {"type": "object"}}),)),
        changed(ASKS.model_copy(update={"calls": (other,)}), -2),
        changed(ASKS.model_copy(update={"state": "sealed"}), -2),
        changed(CALL.answered("seen it"), -1),
    ]
    assert len({prompt.key(MODEL, ModelSettings()) for prompt in variants}) == len(variants)


def test_the_record_of_a_prompt_tells_its_tools_calls_and_results() -> None:
    prompt = Prompt(messages=PLAIN.messages[:1], tools=(LOOK,))
    prompt = prompt.then(ASKS.model_copy(update={"content": ""}), CALL.answered("seen"))
    assert prompt.text == (
        '[tool look]\nLooks.\n{"type": "object", "properties": {"at": {"type": "string"}}}\n\n[system]\nbe brief\n\n'
        '[assistant]\n[calls look, id c1]\n{"at": "it"}\n\n[tool, answers c1]\nseen'
    )


def test_an_answer_becomes_a_turn_that_keeps_its_calls_and_state() -> None:
    said = Completion(text="I look.", stop="tool_call", calls=(CALL,), state="sealed")
    assert said.usable and said.message == ASKS.model_copy(update={"state": "sealed"})
    assert PLAIN.then(said.message, CALL.answered("seen")).messages[-1].answers == "c1"


TWIN = CALL.model_copy(update={"arguments": "{}"})
WRONG = {
    "a result nobody asked for": (CALL.answered("seen"),),
    "a result given twice": (ASKS, CALL.answered("seen"), CALL.answered("seen")),
    "a call without a result": (ASKS,),
    "words before the result": (ASKS, Message(role="user", content="go on"), CALL.answered("seen")),
    "two calls with one id": (Message(role="assistant", content="", calls=(CALL, TWIN)), CALL.answered("seen")),
}


@pytest.mark.parametrize("turns", WRONG.values(), ids=WRONG.keys())
def test_a_conversation_that_no_provider_takes_is_refused_where_it_is_made(turns: tuple[Message, ...]) -> None:
    with pytest.raises(ValidationError):
        PLAIN.then(*turns)


def test_turns_and_tools_that_make_no_sense_are_refused() -> None:
    for role, fields in (
        ("user", {"calls": (CALL,)}),
        ("user", {"answers": "c1"}),
        ("tool", {}),
        ("tool", {"state": "s"}),
    ):
        with pytest.raises(ValidationError):
            Message.model_validate({"role": role, "content": "", **fields})
    for name in ("Look", "look at", "", "1st", "a" * 65):
        with pytest.raises(ValidationError):
            Tool(name=name, description="", parameters={})
    with pytest.raises(ValidationError, match="two tools have the name 'look'"):
        Prompt(messages=PLAIN.messages, tools=(LOOK, LOOK))


def test_a_conversation_costs_more_with_each_call_by_all_that_was_said() -> None:
    settings = ModelSettings(max_output_tokens=100)
    one, two, three = worst_conversation(settings, 1000, 3, 40)
    assert one == worst_call(settings, 1000)
    assert two.input_tokens - one.input_tokens == three.input_tokens - two.input_tokens == 100 + 20
    assert {call.output_tokens for call in (one, two, three)} == {100}
