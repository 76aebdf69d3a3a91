"""Every interactive agent through a whole run with a scripted model over real HTTP: good answers, bad ones and none."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from assay.models.testing import Asked, CutOff, Fail, Reply, Say, ScriptedServer
from assay.models.usage import Usage

MODELLED = ("action_only", "react", "mlab_research", "tools")


@pytest.mark.parametrize("agent", MODELLED)
def test_an_agent_edits_runs_and_hands_in(agent: str, carry: Any, talk: Any) -> None:
    with ScriptedServer(talk.script(agent, ("List Files", {"dir_path": "."}), *talk.worked)) as server:
        ran = carry(agent, server.model)
    assert [turn.action for turn in ran.turns] == ["List Files", "Replace in File", "Execute Script", "Final Answer"]
    assert [turn.kind for turn in ran.turns] == ["ok", "ok", "ok", "end"]
    assert ran.turns[2].validates and ran.turns[2].exit_code == 0 and ran.turns[2].ran == "train.py"
    assert ran.improved and ran.record.finished.reason == "submitted"
    assert ran.arguments(3) == talk.done[1] and ran.seen(3) == "end"
    (proposed,) = ran.of("proposed")
    assert "Replace in File train.py" in proposed.description and proposed.request.parents == (0,)
    assert sum((call.usage for call in ran.of("called")), Usage()).tokens == 110 * 4


def test_trivial_runs_the_starter_and_hands_it_in(carry: Any) -> None:
    ran = carry("trivial")
    assert [(turn.action, turn.kind) for turn in ran.turns] == [("Execute Script", "ok"), ("Final Answer", "end")]
    assert ran.record.tested("best").outcome == ran.record.tested("baseline").outcome
    assert ran.of("proposed") == [] and ran.record.finished.best == 0


@pytest.mark.parametrize("agent", MODELLED)
def test_an_agent_on_a_task_that_is_no_script(agent: str, carry: Any, tiny_task: Any, talk: Any) -> None:
    steps = {"file_name": "algorithm.py", "old": "X = 8.0", "new": "X = 3.0"}
    with ScriptedServer(talk.script(agent, ("Replace in File", steps), ("Validate", {}), talk.done)) as server:
        ran = carry(agent, server.model, task=tiny_task)
    assert ran.record.tested("best").outcome.value == 0.25
    assert "Validation 1: height 0 (lower is better)" in server.asked[-1].text
    assert "Validations left: 3" in server.asked[-1].text


@pytest.mark.parametrize("agent", MODELLED)
def test_wrong_answers_are_answered_counted_and_end_no_run(agent: str, carry: Any, talk: Any) -> None:
    deeds = [
        Say("Let me think about that first."),
        Say("", stop="refused"),
        Say(""),
        ("Inspect Script Lines", {"script_name": "train.py", "start_line_number": 1, "end_line_number": 500}),
        ("Copy File", {"source": "train.py"}),
        ("Copy File", "{'source': 'train.py'}"),
        ("Write File", {"file_name": "../x", "content": "x"}),
        ("Write File", {"file_name": "\ud800", "content": "\udfff"}),
        ("Undo Edit Script", {"script_name": "train.py"}),
        *talk.worked,
    ]
    with ScriptedServer(talk.script(agent, *deeds)) as server:
        ran = carry(agent, server.model)
    kinds = [turn.kind for turn in ran.turns]
    unread = "format" if agent == "mlab_research" else "arguments"
    assert kinds == ["error", "arguments", unread, "error", "error", "error", "ok", "ok", "end"]
    assert [turn.retries for turn in ran.turns] == [3, *[0] * 8]
    assert ran.improved
    assert len(ran.of("called")) == len(server.asked) == len(deeds)
    assert "at most 100 lines" in ran.seen(0) and '"destination": [' in ran.seen(1)
    assert ran.seen(2).startswith(
        "ActionInputParsingError: " if agent == "mlab_research" else "the input of 'Copy File'"
    )


@pytest.mark.parametrize("agent", MODELLED)
def test_an_unknown_action_is_answered_or_asked_for_again(agent: str, carry: Any, talk: Any) -> None:
    with ScriptedServer(talk.script(agent, ("Improve Everything", {}), *talk.worked)) as server:
        ran = carry(agent, server.model)
    if agent == "mlab_research":
        assert ran.turns[0].retries == 1 and "there is no action 'Improve Everything'" in server.asked[1].text
    else:
        assert ran.turns[0].kind == "unknown" and "The actions are: List Files" in ran.seen(0)
        assert "The actions are: List Files" in server.asked[1].text
    assert ran.improved


@pytest.mark.parametrize("agent", MODELLED)
@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (Say("I have no idea."), "format"),
        (Say("", stop="refused"), "format"),
        (Say(""), "format"),
        (Fail(400, "This model's maximum context length is 8192 tokens"), "context"),
    ],
)
def test_a_model_without_a_usable_answer_ends_the_run_with_what_is_there(
    agent: str, reply: Reply, reason: str, carry: Any, talk: Any
) -> None:
    first = talk.saying(agent, *talk.steep)
    with ScriptedServer(lambda asked: first if asked.number == 0 else reply) as server:
        ran = carry(agent, server.model)
    assert ran.record.finished.reason == ran.turns[-1].ends == reason
    asked = 1 if reason == "context" and agent != "tools" else 5
    assert ran.turns[-1].kind == "closed" and ran.turns[-1].retries == asked == len(server.asked) - 1
    # the edit was never run, and is measured and tested all the same
    assert ran.improved and [step.step for step in ran.of("stepped")] == [0, 1]


@pytest.mark.parametrize("agent", MODELLED)
def test_a_provider_that_falters_is_asked_again_and_no_turn_is_lost(agent: str, carry: Any, talk: Any) -> None:
    replies = talk.script(agent, Fail(429), Fail(503), talk.steep, CutOff(), talk.run, Fail(500), talk.done)
    with ScriptedServer(replies) as server:
        ran = carry(agent, server.model)
    assert [turn.retries for turn in ran.turns] == [0, 0, 0] and ran.improved
    assert len(ran.of("called")) == 3


@pytest.mark.parametrize("agent", MODELLED)
def test_hidden_actions_can_be_called_all_the_same(agent: str, carry: Any, talk: Any) -> None:
    deeds = [("Python REPL", {"command": "6 * 7"}), ("Read File", {"file_name": "notes.txt"}), talk.done]
    with ScriptedServer(talk.script(agent, *deeds)) as server:
        ran = carry(agent, server.model)
    assert ran.seen(0) == "42\n" and ran.seen(1) == "The line goes through zero.\n"
    if agent != "tools":
        assert "Python REPL" not in server.asked[0].text


TOLD = (
    "List Files, Copy File, Undo Edit Script, Execute Script, Final Answer, Understand File, Inspect Script Lines, "
    "Edit Script (AI)"
)


def actions_told(text: str) -> list[str]:
    return re.findall(r"^- (.+?): ", text, re.MULTILINE)


@pytest.mark.parametrize("agent", ["action_only", "react", "mlab_research"])
def test_the_actions_an_agent_is_told_of(agent: str, carry: Any, talk: Any) -> None:
    def first_prompt(out: str, **params: Any) -> str:
        with ScriptedServer(talk.script(agent, talk.done)) as server:
            carry(agent, server.model, out=out, **params)
        return server.asked[0].text

    assert actions_told(first_prompt("a")) == TOLD.split(", ")
    added = first_prompt(
        "b", actions_add_to_prompt=("Validate", "Reflection"), actions_remove_from_prompt=("Copy File", "Reflection")
    )
    assert actions_told(added) == [*TOLD.replace("Copy File, ", "").split(", "), "Reflection", "Validate"]


def test_a_prompt_has_everything_that_an_agent_may_know(carry: Any, talk: Any) -> None:
    with ScriptedServer(talk.script("mlab_research", talk.done)) as server:
        carry("mlab_research", server.model, max_turns=7, script_seconds=33)
    text = server.asked[0].text
    assert TOLD in text and "Predict `y` from `x`" in text
    assert "You have 7 actions" in text and "33 s" in text and "`train.csv`" in text
    assert text.index("Reflection: ") < text.index("Fact Check: ") < text.index("Action Input: its input")


@pytest.mark.parametrize("agent", ["action_only", "react", "mlab_research"])
def test_the_last_turns_are_remembered_and_older_ones_are_not(agent: str, carry: Any, talk: Any) -> None:
    notes = [("Write File", {"file_name": f"note{n}.txt", "content": "x"}) for n in range(5)]
    with ScriptedServer(talk.script(agent, *notes, talk.done)) as server:
        carry(agent, server.model, max_observation_steps_in_context=2)
    text = server.asked[-1].text
    assert "note1.txt" not in text and "note2.txt was written" not in text and "<Done>" in text
    assert "note3.txt was written." in text and "note4.txt was written." in text
    if agent == "mlab_research":
        assert (
            "something new" in text
            and "something **new**" not in text.partition("Research Plan and Status: some")[2][:9]
        )


def test_errors_of_form_vanish_once_an_input_was_in_order(carry: Any, talk: Any) -> None:
    bad, good = ("List Files", "not JSON"), ("List Files", {"dir_path": "."})
    with ScriptedServer(talk.script("mlab_research", bad, bad, good, talk.done)) as server:
        ran = carry("mlab_research", server.model)
    assert server.asked[2].text.count("ActionInputParsingError") == 2
    assert "ActionInputParsingError" not in server.asked[3].text
    assert [turn.kind for turn in ran.turns] == ["format", "format", "ok", "end"]


def research_with_notes(talk: Any) -> Callable[[Asked], Reply]:
    def answer(asked: Asked) -> Reply:
        """A model that also sums up and looks through the log."""
        if "Write the entry for the research log" in asked.text:
            return Say("[Reasoning]: to see\n[Action]: it listed\n[Observation]: there are files")
        if "List briefly everything in the log" in asked.text:
            return Say("the log says: files were listed")
        if "Sum it up after the label" in asked.text or "Put them together" in asked.text:
            return Say("[Observation]: it was long")
        turn = len(re.findall(r"^Observation:$", asked.text, re.MULTILINE))
        if "What was done so far, from the research log" in asked.text:
            return talk.saying("mlab_research", *talk.done)
        deeds = [("List Files", {"dir_path": "."}), talk.steep, talk.run, ("List Files", {"dir_path": "data"})]
        return talk.saying("mlab_research", *deeds[turn])

    return answer


def test_with_retrieval_a_log_is_kept_and_read_and_costs_no_turn(carry: Any, talk: Any) -> None:
    with ScriptedServer(research_with_notes(talk)) as server:
        ran = carry("mlab_research", server.model, retrieval=True, max_turns=5)
    log, read = "Append Summary to Research Log", "Retrieval from Research Log"
    assert [turn.action for turn in ran.turns if turn.bookkeeping] == [log, log, log, log, read]
    assert len([turn for turn in ran.turns if not turn.bookkeeping]) == 5
    assert ran.improved and ran.record.finished.reason == "submitted"
    final = next(asked.text for asked in reversed(server.asked) if "What was done so far" in asked.text)
    assert "the log says: files were listed" in final
    assert "Step 1:\n[Reasoning]: to see" in ran.blobs.get(ran.turns[1].changes["research_log.log"])
    # the log is no code: nothing of it is measured
    assert len(ran.of("stepped")) == 2


@pytest.mark.parametrize("works", [True, False])
def test_a_long_observation_is_summed_up_or_else_cut(works: bool, carry: Any, talk: Any) -> None:
    code = {"file_name": "loud.py", "content": "print('x' * 9000)\nprint('the end')\n"}

    def answer(asked: Asked) -> Reply:
        if "Sum it up after the label" in asked.text:
            return Say("As follows. [Observation]: many an x") if works else Say("", stop="refused")
        deeds = [("Write File", code), ("Execute Script", {"script_name": "loud.py"}), talk.done]
        return talk.saying("mlab_research", *deeds[len(re.findall(r"^Observation:$", asked.text, re.MULTILINE))])

    with ScriptedServer(answer) as server:
        ran = carry("mlab_research", server.model)
    assert "x" * 9000 in ran.seen(1) and ran.turns[1].shown
    shown = ran.blobs.get(ran.turns[1].shown)
    assert shown == "many an x" if works else ("characters left out" in shown and "the end" in shown)
    assert shown in server.asked[-1].text


def test_fast_and_edit_models_are_asked_for_their_work(carry: Any, talk: Any) -> None:
    edit = {"script_name": "train.py", "edit_instruction": "use a slope of 3", "save_name": "train.py"}
    deeds = [("Understand File", {"file_name": "train.py", "things_to_look_for": "x"}), ("Edit Script (AI)", edit)]
    edited = Say("```python\nopen('submission.csv', 'w').write('id,y\\na,3\\nb,6\\nc,9\\n')\n```")
    with (
        ScriptedServer(talk.script("react", *deeds, talk.done)) as main,
        ScriptedServer([Say("line 1 has the slope")]) as fast,
        ScriptedServer([edited]) as editing,
    ):
        ran = carry("react", main.model, fast_model=fast.model, edit_model=editing.model)
    assert (len(main.asked), len(fast.asked), len(editing.asked)) == (3, 1, 1)
    assert ran.seen(0) == "line 1 has the slope" and len(ran.of("called")) == 5
    assert [primitive.action for primitive in ran.turns[1].primitives] == ["Read File", "Write File"]
    assert "Edit Script (AI) train.py: use a slope of 3" in ran.of("proposed")[0].description
