"""What a run of an interactive agent may spend, and that what it hands in is tested however it ends."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from assay.models.testing import Asked, Reply, Say, ScriptedServer
from assay.runs.session import Control
from assay.runs.spec import Caps
from assay.tasks.load import load_task

VALIDATE = ("Validate", {})


def slope(value: float) -> tuple[str, dict[str, str]]:
    return "Write File", {"file_name": "slope.py", "content": f"SLOPE = {value}\n"}


IMPORTED = ("Replace in File", {"file_name": "train.py", "old": "SLOPE = 1.0\n", "new": "from slope import SLOPE\n"})
"""From here on a module beside the script decides."""


@pytest.mark.parametrize(("tokens", "turns"), [(0, 0), (110, 1), (111, 2), (220, 2)])
def test_a_cap_on_tokens_closes_the_run_and_what_is_there_is_tested(
    tokens: int, turns: int, carry: Any, talk: Any
) -> None:
    with ScriptedServer(talk.script("react", *talk.worked)) as server:
        ran = carry("react", server.model, caps=Caps(steps=5, tokens=tokens))
    assert len(server.asked) == turns == len(ran.turns) - 1
    assert ran.record.finished.reason == ran.turns[-1].ends == "tokens" and ran.turns[-1].kind == "closed"
    assert ran.improved == (turns > 0)
    # the code was measured once: by the turn that ran it at the very cap, or when it was handed in
    assert [step.step for step in ran.of("stepped")] == [0, 1][: turns + 1]


def test_a_cap_in_dollars_closes_the_run(carry: Any, talk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    said = talk.saying("react", *talk.steep).text
    with ScriptedServer(lambda _: Say(said, input_tokens=1_000_000)) as server:
        ran = carry("react", f"openai:gpt-5@{server.url}", caps=Caps(steps=5, usd=2.0))
    assert ran.record.finished.reason == "usd" and ran.improved
    assert sum(call.usage.usd for call in ran.of("called")) >= 2.0 > sum(c.usage.usd for c in ran.of("called")[:-1])


def test_a_cap_of_the_sweep_closes_the_run(carry: Any, talk: Any) -> None:
    with ScriptedServer(talk.script("react", *talk.worked)) as server:
        reached = Control(sweep_reached=lambda: "sweep-usd" if len(server.asked) >= 1 else None)
        ran = carry("react", server.model, control=reached)
    assert ran.record.finished.reason == "sweep-usd" and ran.improved


def test_when_time_runs_out_within_a_script_its_files_count_and_the_submission_is_tested(carry: Any, talk: Any) -> None:
    wait = "import time\nopen('slope.py', 'w').write('SLOPE = 3.0')\nprint('begun', flush=True)\ntime.sleep(600)\n"
    deeds = [IMPORTED, ("Write File", {"file_name": "wait.py", "content": wait})]
    deeds.append(("Execute Script", {"script_name": "wait.py"}))
    with ScriptedServer(talk.script("react", *deeds)) as server:
        ran = carry("react", server.model, caps=Caps(steps=5, hours=0.0006))
    assert ran.record.finished.reason == "hours"
    if len(ran.turns) == 4:  # else the machine took the time itself
        assert "begun" in ran.seen(2) and "killed after" in ran.seen(2) and ran.improved


@pytest.mark.parametrize("agent", ["react", "trivial"])
def test_with_no_step_nothing_is_paid_for_nor_measured_but_the_starter(agent: str, carry: Any, talk: Any) -> None:
    with ScriptedServer(talk.script("react", *talk.worked)) as server:
        ran = carry(agent, server.model, caps=Caps(steps=0))
    assert server.asked == [] and ran.record.finished.reason == ("steps" if agent == "react" else "submitted")
    assert [step.step for step in ran.of("stepped")] == [0] and ran.record.finished.best == 0
    assert ran.record.tested("best").outcome == ran.record.tested("baseline").outcome


def test_the_only_step_is_kept_for_what_is_handed_in(carry: Any, talk: Any) -> None:
    deeds = [IMPORTED, slope(2.0), talk.run, VALIDATE, slope(3.0), talk.done]
    with ScriptedServer(talk.script("react", *deeds)) as server:
        ran = carry("react", server.model, caps=Caps(steps=1))
    assert "no validation is left but the one for what is handed in" in ran.seen(3)
    assert not any(turn.validates for turn in ran.turns)
    assert [(step.step, step.outcome.value) for step in ran.of("stepped")] == [(0, 4.0), (1, 0.0)]
    assert ran.improved


def test_of_two_steps_one_can_be_asked_for(carry: Any, talk: Any) -> None:
    deeds = [IMPORTED, slope(2.0), talk.run, slope(2.5), talk.run, VALIDATE, slope(3.0), talk.done]
    with ScriptedServer(talk.script("react", *deeds)) as server:
        ran = carry("react", server.model, caps=Caps(steps=2))
    assert [turn.validates for turn in ran.turns] == [False, False, True, *[False] * 5]
    assert [step.outcome.value for step in ran.of("stepped")] == [4.0, 2.0, 0.0]
    assert ran.turns[5].kind == "error" and ran.improved


def test_code_that_was_measured_costs_nothing_and_is_told_again(carry: Any, talk: Any) -> None:
    deeds = [VALIDATE, talk.steep, VALIDATE, VALIDATE, talk.run, talk.done]
    with ScriptedServer(talk.script("tools", *deeds)) as server:
        ran = carry("tools", server.model, caps=Caps(steps=2))
    assert "The unchanged starter: error 4 (lower is better)" in ran.seen(0)
    assert "Validation 1: error 0 (lower is better)" in server.asked[3].text
    assert "Validation 1: error 0 (lower is better)" in ran.seen(3)
    assert len(ran.of("stepped")) == 2 and ran.improved


def test_a_submission_that_fails_is_tested_and_not_replaced_by_a_better_one(carry: Any, talk: Any) -> None:
    broken = ("Write File", {"file_name": "train.py", "content": "raise ValueError('no')\n"})
    with ScriptedServer(talk.script("react", talk.steep, talk.run, broken, talk.done)) as server:
        ran = carry("react", server.model)
    tested = ran.record.tested("best")
    assert tested.step == 2 and tested.outcome.kind == "crashed" and "ValueError: no" in tested.outcome.message


def test_a_submission_that_is_not_there_is_the_starter(carry: Any, talk: Any) -> None:
    away = ("Python REPL", {"command": "import os; os.unlink('train.py')"})
    with ScriptedServer(talk.script("react", away, VALIDATE, talk.done)) as server:
        ran = carry("react", server.model)
    assert "unparsable" in server.asked[2].text
    assert ran.record.finished.best == 0 and ran.record.tested("best").outcome.value == 8.0


def test_a_task_without_feedback_tells_nothing_before_the_end(
    carry: Any, talk: Any, script_task: Any, tmp_path: Path
) -> None:
    root = tmp_path / "silent"
    shutil.copytree(script_task.paths.root, root)
    spec = root / "task.toml"
    spec.write_text(spec.read_text().replace("schema = 1\n", "schema = 1\nfeedback = false\n"))
    with ScriptedServer(talk.script("react", talk.steep, talk.run, VALIDATE, talk.done)) as server:
        ran = carry("react", server.model, task=load_task(root))
    assert "measures nothing before the end" in ran.seen(2) and ran.improved
    assert not re.search(r"Validation \d|error 0", "".join(asked.text for asked in server.asked))


@pytest.mark.parametrize("agent", ["react", "tools"])
def test_the_turns_of_a_run_are_counted(agent: str, carry: Any, talk: Any) -> None:
    deeds = [talk.steep, ("No Such Action", {}), ("Copy File", "no JSON"), talk.done]
    with ScriptedServer(talk.script(agent, *deeds)) as server:
        ran = carry(agent, server.model, max_turns=3)
    assert len(server.asked) == 3 and ran.record.finished.reason == "turns"
    assert ran.turns[-1].kind == "closed" and ran.improved


def test_notes_are_no_turns(carry: Any, talk: Any) -> None:
    def answer(asked: Asked) -> Reply:
        if "research log" in asked.text and "Action Input" not in asked.text:
            return Say("[Observation]: noted")
        return talk.saying("mlab_research", *talk.steep)  # type: ignore[no-any-return]

    with ScriptedServer(answer) as server:
        ran = carry("mlab_research", server.model, max_turns=2, retrieval=True)
    assert [turn.bookkeeping for turn in ran.turns] == [False, True, False, False]
    assert ran.record.finished.reason == "turns"


def test_a_cap_that_is_reached_within_an_action_loses_nothing(carry: Any, talk: Any) -> None:
    loud = ("Python REPL", {"command": "open('slope.py', 'w').write('SLOPE = 3.0'); print('x' * 6000)"})
    with ScriptedServer(talk.script("mlab_research", IMPORTED, loud)) as server:
        ran = carry("mlab_research", server.model, caps=Caps(steps=5, tokens=220))
    # the summary was not paid for: the action is on record all the same, and its observation was cut
    assert [turn.kind for turn in ran.turns] == ["ok", "ok", "closed"] and ran.turns[1].shown
    assert "slope.py" in ran.turns[1].changes and ran.improved
    edit = ("Edit Script (AI)", {"script_name": "train.py", "edit_instruction": "x", "save_name": "train.py"})
    with ScriptedServer(talk.script("react", talk.steep, edit)) as server:
        ran = carry("react", server.model, caps=Caps(steps=5, tokens=220))
    assert [turn.kind for turn in ran.turns] == ["ok", "closed"] and ran.improved


def test_words_that_no_journal_can_hold_are_recorded_without_what_is_wrong(carry: Any, talk: Any) -> None:
    edit = ("Write File", {"file_name": "train.py", "content": "print('x')\n"})
    half = ("Edit Script (AI)", {"script_name": "a.py", "edit_instruction": "\ud800" * 400, "save_name": "a.py"})
    long = ("x" * 5000, {})
    with ScriptedServer(talk.script("react", half, Say("```python\nX = 1\n```"), long, edit, talk.done)) as server:
        ran = carry("react", server.model)
    assert [turn.kind for turn in ran.turns] == ["ok", "unknown", "ok", "end"]
    assert len(ran.turns[1].action) == 200
    assert json.loads(ran.record.paths.events.read_text().splitlines()[-1])["type"] == "finished"


def test_what_an_agent_is_told_it_can_spend(carry: Any, talk: Any) -> None:
    with ScriptedServer(talk.script("react", talk.done)) as server:
        carry("react", server.model, caps=Caps(steps=4), max_turns=9, script_seconds=0.5)
    text = server.asked[0].text
    assert "You have 9 actions" in text and "may take 0.5 s" in text and "measured 4 times" in text
    assert "`train.py` with the modules beside it" in text and "`data/test.csv`" in text
