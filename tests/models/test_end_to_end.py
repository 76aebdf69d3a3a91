"""Whole runs over real HTTP: every search agent on a real task, with a model that is rate-limited, broken and vague."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from assay.models import client
from assay.models.retry import RetryPolicy
from assay.models.testing import Asked, CutOff, Fail, Reply, Say, ScriptedServer
from assay.models.usage import Usage
from assay.runs.events import Called, Stepped
from assay.runs.record import RunRecord, read_run
from assay.runs.run import Sandboxes, carry_out
from assay.runs.session import Control
from assay.runs.spec import Caps, RunSpec
from assay.tasks.load import Task

AGENTS = ("ai_scientist", "ai_scientist_v2", "aide", "aira_mcts", "autoresearch", "openevolve", "adaptive_search")
TASK = "fml-mini/fairness_fairlearn"
STEPS = 10
SECRET = "sk-must-never-be-written"


class Moody:
    """A model that does the work, but not always at once: its mood goes round with the calls for code."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, asked: Asked) -> Reply:
        if "Answer in words alone" in asked.text:
            return Say(f"### IDEA\nIdea {asked.number}: move the threshold of one group.")
        self.calls += 1
        number = self.calls
        code = re.findall(r"`algorithm\.py`\n(`{3,})\n(.*?)\n\1", asked.text, re.DOTALL)[-1][1]
        tried = f"{code.rstrip()}\n\nTRIED_{number} = {number}\n"
        shifted = re.sub(r"GROUP_SHIFT = [-\d.]+", f"GROUP_SHIFT = {0.01 * (number % 12):.2f}", tried)
        block = (
            f"<<<<<<< SEARCH\ndef thresholds(group):\n=======\nTRIED_{number} = {number}\n\n\ndef thresholds(group):\n"
        )
        moods: list[Reply] = [
            Say(f"SUMMARY: sets `GROUP_SHIFT`\n### FILE: algorithm.py\n```python\n{shifted}```"),
            Fail(429, headers={"Retry-After": "1"}),
            Say(f"SUMMARY: notes `TRIED_{number}`\n### FILE: algorithm.py\n{block}>>>>>>> REPLACE"),
            Say("Let me think about that first."),
            Say(f"### FILE: algorithm.py\n```python\n{shifted}raise ValueError('on import')\n```"),
            Fail(500),
            Say("I cannot help with that.", stop="refused"),
            Say(f"### FILE: algorithm.py\n```python\n{code[: len(code) // 2]}", stop="length"),
            CutOff(),
            Say(f"### FILE: ../grader.py\n```python\n{shifted}```"),
        ]
        return moods[number % len(moods)]


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "RetryPolicy", lambda: RetryPolicy(sleep=lambda _: None))
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", SECRET)


@pytest.fixture(scope="module")
def sandboxes() -> Iterator[Sandboxes]:
    with Sandboxes() as opened:
        yield opened


def spec_for(agent: str, model: str, task: str = TASK, steps: int = STEPS) -> RunSpec:
    return RunSpec(agent=agent, model=model, task=task, caps=Caps(steps=steps))


def read(results: Path, spec: RunSpec) -> RunRecord:
    return read_run(results / "runs" / spec.run_id)


def without_clocks(record: RunRecord) -> list[str]:
    return [event.model_copy(update={"clock": None}).model_dump_json() for event in record.events]


@pytest.mark.parametrize("agent", AGENTS)
def test_every_search_agent_finishes_on_a_real_task(agent: str, sandboxes: Sandboxes, tmp_path: Path) -> None:
    with ScriptedServer(Moody()) as server:
        spec = spec_for(agent, server.model)
        finished = carry_out(spec, tmp_path, sandboxes, Control())
    record = read(tmp_path, spec)
    assert finished == record.finished and finished.reason == "steps"
    steps = [event for event in record.events if isinstance(event, Stepped)]
    assert [event.step for event in steps] == list(range(STEPS + 1))
    kinds = {event.outcome.kind for event in steps[1:]}
    assert "ok" in kinds and kinds <= {"ok", "crashed", "constraint", "no_change", "unparsable", "refused"}
    # each answer that was given is written down and paid for once, and only those
    calls = [event for event in record.events if isinstance(event, Called)]
    answered = [asked for asked in server.asked if SECRET in asked.headers["authorization"]]
    assert len(answered) == len(server.asked) > len(calls) > STEPS
    assert sum((call.usage for call in calls), Usage()).tokens == 110 * len(calls)
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and SECRET.encode() in path.read_bytes()]


def test_a_recorded_run_is_replayed_to_the_byte_without_asking_anybody(
    tiny_task_folder: str, sandboxes: Sandboxes, tmp_path: Path
) -> None:
    with ScriptedServer(valley) as server:
        spec = spec_for("autoresearch", server.model, tiny_task_folder, steps=6)
        carry_out(spec, tmp_path / "first", sandboxes, Control())
        asked = len(server.asked)
        carry_out(spec, tmp_path / "second", sandboxes, Control(), replay=tmp_path / "first")
        assert len(server.asked) == asked
    assert without_clocks(read(tmp_path / "first", spec)) == without_clocks(read(tmp_path / "second", spec))


def test_a_run_cut_off_anywhere_goes_on_without_paying_twice(
    tiny_task_folder: str, sandboxes: Sandboxes, tmp_path: Path
) -> None:
    with ScriptedServer(valley) as server:
        spec = spec_for("autoresearch", server.model, tiny_task_folder, steps=3)
        carry_out(spec, tmp_path, sandboxes, Control())
        whole = without_clocks(read(tmp_path, spec))
        journal = tmp_path / "runs" / spec.run_id / "events.jsonl"
        lines = journal.read_bytes().splitlines(keepends=True)
        for cut in range(1, len(lines)):
            journal.write_bytes(b"".join(lines[:cut]))
            already = len(server.asked)
            carry_out(spec, tmp_path, sandboxes, Control())
            assert without_clocks(read(tmp_path, spec)) == whole
            missing = sum(b'"type":"called"' in line for line in lines[cut:])
            assert len(server.asked) - already == missing


def test_a_cap_in_dollars_is_never_exceeded_by_more_than_one_call(
    tiny_task_folder: str, sandboxes: Sandboxes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with ScriptedServer(lambda asked: replace(valley(asked), input_tokens=1_000_000)) as server:
        spec = spec_for("autoresearch", f"openai:gpt-5@{server.url}", tiny_task_folder, steps=50)
        spec = spec.model_copy(update={"caps": Caps(steps=50, usd=5.0)})
        assert carry_out(spec, tmp_path, sandboxes, Control()).reason == "usd"
    costs = [event.usage.usd or 0.0 for event in read(tmp_path, spec).events if isinstance(event, Called)]
    assert 5.0 <= sum(costs) < 5.0 + max(costs) and min(costs) > 1.0
    assert len(server.asked) == len(costs)


def valley(asked: Asked) -> Say:
    """A model whose answer depends on the question alone, as a deterministic one's would."""
    if "Answer in words alone" in asked.text:
        return Say("### IDEA\nGo down.")
    code = re.findall(r"`algorithm\.py`\n```\n(.*?)\n```", asked.text, re.DOTALL)[-1]
    x = float(re.findall(r"X = ([\d.]+)", code)[0])
    return Say(
        f"SUMMARY: lowers `X`\n### FILE: algorithm.py\n<<<<<<< SEARCH\nX = {x}\n=======\nX = {x - 1}\n>>>>>>> REPLACE"
    )


@pytest.fixture(scope="session")
def tiny_task_folder(tiny_task: Task) -> str:
    return str(tiny_task.paths.root)
