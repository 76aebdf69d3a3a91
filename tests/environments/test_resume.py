"""Wherever a run of an interactive agent is cut, the same command gives the journal of a run that was not."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assay.models.testing import Asked, Reply, Say, ScriptedServer
from assay.runs.session import Control, Interrupted
from assay.runs.spec import Caps

LOUD = "import os\nprint('x' * 6000)\nopen('left.txt', 'w').write('left')\nos.unlink('old.txt')\n"
EDIT = {"script_name": "train.py", "edit_instruction": "steeper", "save_name": "train.py"}
DEEDS = [
    ("List Files", {"dir_path": "."}),
    ("Write File", {"file_name": "old.txt", "content": "old"}),
    ("Copy File", {"source": "train.py"}),
    ("Write File", {"file_name": "src/loud.py", "content": LOUD}),
    ("Execute Script", {"script_name": "src/loud.py"}),
    ("Undo Edit Script", {"script_name": "old.txt"}),
    ("Undo Edit Script", {"script_name": "old.txt"}),
    ("Replace in File", {"file_name": "train.py", "old": "SLOPE = 1.0", "new": "SLOPE = 2.0"}),
    ("Execute Script", {"script_name": "train.py"}),
    ("Edit Script (AI)", EDIT),
    ("Final Answer", {"final_answer": "done"}),
]
EDITED = """\
rows = [row.split(",") for row in open("data/test.csv").read().split()[1:]]
open("submission.csv", "w").write("\\n".join(["id,y", *(f"{key},{3 * float(x)}" for key, x in rows)]))
"""


def answering(agent: str, talk: Any) -> Callable[[Asked], Reply]:
    """A model whose answer depends on the question alone, as a deterministic one's would."""

    def answer(asked: Asked) -> Reply:
        if "Change it as follows" in asked.text:
            return Say(f"```python\n{EDITED}```")
        if "three labelled parts" in asked.text or "Sum it up after" in asked.text or "in the log that" in asked.text:
            return Say(f"[Observation]: {len(asked.text)} characters")
        if agent == "tools":
            turn = sum(message["role"] == "tool" for message in asked.body["messages"])
            if DEEDS[turn][0].startswith("Edit"):
                return talk.saying(agent, "Write File", {"file_name": "train.py", "content": EDITED})  # type: ignore[no-any-return]
        else:
            turn = len(re.findall(r"^Observation:$", asked.text, re.MULTILINE))
        first = asked.body["messages"][-1]["role"] == "user" and "right form" not in asked.last
        if turn == 1 and agent == "mlab_research" and first:
            return Say("Let me see.")
        return talk.saying(agent, *DEEDS[turn])  # type: ignore[no-any-return]

    return answer


KINDS: dict[str, dict[str, Any]] = {
    "react": {"max_steps_in_context": 50},
    "mlab_research": {"max_steps_in_context": 50, "max_observation_steps_in_context": 50, "retrieval": True},
    "tools": {},
}


@pytest.mark.parametrize(("agent", "every"), [("tools", 1), ("mlab_research", 4)])
def test_a_run_cut_after_any_event_goes_on_to_the_same_end_without_paying_twice(
    agent: str, every: int, carry: Any, talk: Any
) -> None:
    with ScriptedServer(answering(agent, talk)) as server:
        whole = carry(agent, server.model, **KINDS[agent])
        assert whole.improved and whole.record.finished.reason == "submitted"
        assert {turn.kind for turn in whole.turns} == {"ok", "arguments", "end"}
        expected = whole.without_clocks
        journal = whole.record.paths.events
        lines = journal.read_bytes().splitlines(keepends=True)
        for cut in range(0, len(lines), every):
            journal.write_bytes(b"".join(lines[:cut]) + lines[cut][: len(lines[cut]) // 2])
            already = len(server.asked)
            assert carry(agent, server.model, **KINDS[agent]).without_clocks == expected
            missing = sum(b'"type":"called"' in line for line in lines[cut:])
            assert len(server.asked) - already == missing


def test_without_a_model_a_cut_run_goes_on_to_the_same_end(carry: Any) -> None:
    caps = Caps(steps=3)
    whole = carry("react", caps=caps)
    journal = whole.record.paths.events
    lines = journal.read_bytes().splitlines(keepends=True)
    for cut in range(0, len(lines), 4):
        journal.write_bytes(b"".join(lines[:cut]))
        assert carry("react", caps=caps).without_clocks == whole.without_clocks


@pytest.mark.parametrize("tokens", [110, 330])
def test_a_run_that_ends_at_a_cap_ends_there_wherever_it_was_cut(tokens: int, carry: Any, talk: Any) -> None:
    caps = Caps(steps=5, tokens=tokens)
    with ScriptedServer(answering("mlab_research", talk)) as server:
        whole = carry("mlab_research", server.model, caps=caps, **KINDS["react"])
        assert whole.record.finished.reason == "tokens"
        journal = whole.record.paths.events
        lines = journal.read_bytes().splitlines(keepends=True)
        for cut in range(1, len(lines)):
            journal.write_bytes(b"".join(lines[:cut]))
            again = carry("mlab_research", server.model, caps=caps, **KINDS["react"])
            assert again.without_clocks == whole.without_clocks


def test_a_run_that_was_interrupted_anywhere_goes_on(carry: Any, talk: Any) -> None:
    with ScriptedServer(answering("tools", talk)) as server:
        whole = carry("tools", server.model, out="whole")
        asked = len(server.asked)
        for after in range(1, 100):
            looks = iter(range(after))
            stopping = Control(interrupted=lambda looks=looks: next(looks, None) is None)
            try:
                carry("tools", server.model, out="cut", control=stopping)
                break
            except Interrupted:
                continue
        assert carry("tools", server.model, out="cut").without_clocks == whole.without_clocks
        assert after > 5 and len(server.asked) == 2 * asked


@pytest.mark.parametrize("agent", KINDS)
def test_a_recorded_run_is_replayed_without_asking_anybody(agent: str, carry: Any, talk: Any, tmp_path: Path) -> None:
    with ScriptedServer(answering(agent, talk)) as server:
        first = carry(agent, server.model, out="first", **KINDS[agent])
        asked = len(server.asked)
        second = carry(agent, server.model, out="second", replay=tmp_path / "first", **KINDS[agent])
        assert len(server.asked) == asked
    assert first.without_clocks == second.without_clocks


def test_a_resumed_run_keeps_the_time_it_has_used(carry: Any, talk: Any) -> None:
    caps = Caps(steps=5, hours=1.0)
    with ScriptedServer(talk.script("react", *talk.worked)) as server:
        ran = carry("react", server.model, caps=caps)
        lines = [json.loads(line) for line in ran.record.paths.events.read_text().splitlines()]
        edit = next(number for number, line in enumerate(lines) if line["type"] == "acted")
        lines[edit]["clock"]["seconds"] = 7200.0
        ran.record.paths.events.write_text("".join(json.dumps(line) + "\n" for line in lines[: edit + 1]))
        again = carry("react", server.model, caps=caps)
        assert len(server.asked) == 3
    assert again.record.finished.reason == "hours" and again.improved


AGENT = """
import os, signal
from assay.environments.agents.base import Decision, InteractiveAgent


class Stuck(InteractiveAgent):
    name, summary, proposer = "stuck", "for tests", "none"

    def decide(self, desk, history):
        deeds = [
            Decision("Replace in File", {"file_name": "train.py", "old": "SLOPE = 1.0", "new": "SLOPE = 3.0"}),
            Decision("Execute Script", {"script_name": "train.py"}),
            Decision("Final Answer", {"final_answer": "done"}),
        ]
        if len(history) == int(os.environ.get("STUCK_AT", "9")):
            signal.pause()
        return deeds[len(history)]
"""


@pytest.mark.parametrize("turn", [1, 2])
def test_a_harness_that_was_killed_is_started_again_and_the_submission_is_tested(
    turn: int, script_task: Any, tmp_path: Path
) -> None:
    (tmp_path / "mine.py").write_text(AGENT)
    task = tmp_path / "task"
    shutil.copytree(script_task.paths.root, task)
    command = [sys.executable, "-m", "assay", "run", "--agent", "mine:Stuck", "--task", str(task), "--steps", "3"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env={**os.environ, "STUCK_AT": str(turn)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 120
        last = b'"type":"acted"' if turn == 1 else b'"step":1,"candidate"'
        while last not in b"".join(file.read_bytes() for file in tmp_path.glob("results/runs/*/events.jsonl")):
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    (journal,) = tmp_path.glob("results/runs/*/events.jsonl")
    events = [json.loads(line) for line in journal.read_text().splitlines()]
    assert [event["action"] for event in events if event["type"] == "acted"] == [
        "Replace in File",
        "Execute Script",
        "Final Answer",
    ]
    (best,) = (event for event in events if event["type"] == "tested" and event["who"] == "best")
    assert best["outcome"]["value"] == 0.0 and events[-1]["type"] == "finished"
