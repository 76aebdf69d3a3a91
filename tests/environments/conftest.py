"""A tiny task whose candidate is a script, its workspace, its actions, and whole runs on it."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest

from assay.environments.actions.base import Doing, Helpers
from assay.environments.environment import Observation, act
from assay.environments.workspace import Workspace, open_workspace
from assay.models import client
from assay.models.base import Client, ModelSettings, ToolCall
from assay.models.client import open_client
from assay.models.retry import RetryPolicy
from assay.models.testing import Asked, Reply, Say, ScriptedServer
from assay.runs.agents import find_agent
from assay.runs.blobs import Blobs
from assay.runs.events import Acted
from assay.runs.record import RunRecord, read_run
from assay.runs.run import Sandboxes, carry_out
from assay.runs.session import Control
from assay.runs.spec import Caps, RunSpec
from assay.tasks.candidate import text_digest
from assay.tasks.load import Task, load_task
from assay.tasks.spec import Limits

LINE = {
    "task.toml": """\
schema = 1
id = "tiny/line"
title = "Follow a line"
area = "Testing"
question = "How steep is the line?"
editable = ["train.py"]
preload = ["numpy"]
[script]
run = "train.py"
leaves = ["submission.csv"]
[metric]
name = "error"
direction = "min"
best = 0.0
[limits]
seconds = 10
memory_mb = 512
[baseline]
val = 4.0
test = 8.0
""",
    "prompt.md": "Predict `y` from `x`: write `submission.csv` with `id` and `y`. A lower `error` is better.\n",
    "workspace/train.py": """\
SLOPE = 1.0

rows = open("data/test.csv").read().split()[1:]
pairs = [row.split(",") for row in rows]
with open("submission.csv", "w") as file:
    print("id,y", file=file)
    for key, x in pairs:
        print(f"{key},{SLOPE * float(x)}", file=file)
print("the slope is", SLOPE)
""",
    "workspace/notes.txt": "The line goes through zero.\n",
    "grader.py": """\
import numpy as np
from assay.tasks.files import as_csv, as_files, numbers_of, table_of
from assay.tasks.grader import Grade

POINTS = {"val": [1.0, 2.0, 3.0], "test": [2.0, 4.0, 6.0]}
IDS = ["a", "b", "c"]


def prepare(split, seed):
    train = as_csv({"x": [1.0, 5.0], "y": [3.0, 15.0]})
    return as_files({"train.csv": train, "data/test.csv": as_csv({"id": IDS, "x": POINTS[split]})})


def grade(outputs, split, seed):
    answers = numbers_of(table_of(outputs, "submission.csv", IDS, ["y"]), "y", "submission.csv")
    return Grade({"error": float(np.mean(np.abs(answers - 3.0 * np.array(POINTS[split]))))})
""",
}
"""A slope of 3 is right, the starter has 1."""


@pytest.fixture(scope="session")
def script_task(tmp_path_factory: pytest.TempPathFactory) -> Task:
    root = tmp_path_factory.mktemp("tasks") / "line"
    for name, text in LINE.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return load_task(root)


@pytest.fixture(scope="session")
def sandboxes() -> Iterator[Sandboxes]:
    with Sandboxes() as opened:
        yield opened


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "RetryPolicy", lambda: RetryPolicy(sleep=lambda _: None))
    monkeypatch.setenv("OPENAI_COMPATIBLE_API_KEY", "none")


@dataclass
class Bench:
    """A workspace, and actions in it, each a turn of its own."""

    doing: Doing
    last: Doing | None = None
    """How the last action was carried out."""

    @property
    def workspace(self) -> Workspace:
        return self.doing.workspace

    def __call__(self, name: str, arguments: Any = None, /, **given: Any) -> Observation:
        self.last = replace(self.doing, primitives=[])
        seen = act(name, given if arguments is None else arguments, self.last)
        self.workspace.end_turn()
        return seen

    def script(self, code: str, name: str = "try.py") -> str:
        """Write a script, run it, and hand back what is said about it."""
        self("Write File", file_name=name, content=code)
        return self("Execute Script", script_name=name).text

    def within(self, seconds: float) -> "Bench":
        limits = self.doing.limits.model_copy(update={"seconds": seconds})
        return Bench(replace(self.doing, limits=limits))

    def asking(self, helpers: Helpers) -> "Bench":
        return Bench(replace(self.doing, helpers=helpers))


@dataclass
class Model:
    """A model behind real HTTP that says these things in turn, the last of them for ever."""

    replies: tuple[Reply, ...] = ()
    asked: list[str] = field(default_factory=list)

    def __call__(self, asked: Asked) -> Reply:
        self.asked.append(asked.text)
        return self.replies[min(len(self.asked), len(self.replies)) - 1]

    def says(self, *replies: Reply | str) -> "Model":
        self.replies = tuple(Say(reply) if isinstance(reply, str) else reply for reply in replies)
        self.asked = []
        return self


@pytest.fixture
def model() -> Iterator[tuple[Model, Client]]:
    """What is said, and the client that hears it."""
    script = Model()
    with ScriptedServer(script) as server:
        yield script, open_client(server.model, ModelSettings())


@pytest.fixture
def bench(script_task: Task, sandboxes: Sandboxes, tmp_path: Path) -> Bench:
    workspace = open_workspace(script_task, 0, Blobs(tmp_path / "blobs"))
    limits = Limits(seconds=20, memory_mb=1024, processes=64, scratch_mb=128)
    return Bench(Doing(workspace, sandboxes.for_task(script_task), limits, Helpers(), script_task.prompt))


class Talk:
    """Answers of a model in the form that an agent wants."""

    steep = ("Replace in File", {"file_name": "train.py", "old": "SLOPE = 1.0", "new": "SLOPE = 3.0"})
    run = ("Execute Script", {"script_name": "train.py"})
    done = ("Final Answer", {"final_answer": "the slope is 3"})
    worked = (steep, run, done)
    labels: ClassVar = {
        "action_only": (),
        "react": ("Thought",),
        "mlab_research": ("Reflection", "Research Plan and Status", "Fact Check", "Thought"),
    }

    def saying(self, agent: str, action: str, arguments: Any) -> Say:
        given = arguments if isinstance(arguments, str) else json.dumps(arguments)
        if agent == "tools":
            name = re.sub(r"[^a-z0-9]+", "_", action.lower()).strip("_")
            return Say(calls=(ToolCall(id=f"{name}_{text_digest(given)[:8]}", name=name, arguments=given),))
        said = "\n".join(f"{label}: something **new**" for label in self.labels[agent])
        return Say(f"{said}\nAction: {action}\nAction Input: {given}\n")

    def script(self, agent: str, *deeds: Any) -> list[Reply]:
        """Deeds as pairs of action and arguments, and replies as they are."""
        return [self.saying(agent, *deed) if isinstance(deed, tuple) else deed for deed in deeds]


@pytest.fixture
def talk() -> Talk:
    return Talk()


@dataclass
class Ran:
    """A run on disk, with its turns in words."""

    record: RunRecord
    blobs: Blobs

    @property
    def turns(self) -> list[Acted]:
        return [event for event in self.record.events if isinstance(event, Acted)]

    def of(self, kind: str) -> list[Any]:
        return [event for event in self.record.events if event.type == kind]

    def seen(self, turn: int) -> str:
        return self.blobs.get(self.turns[turn].observation)

    def arguments(self, turn: int) -> Any:
        return json.loads(self.blobs.get(self.turns[turn].arguments))

    @property
    def improved(self) -> bool:
        """What was handed in was tested, and it is the right slope."""
        tested = self.record.tested("best")
        return tested is not None and tested.outcome.value == 0.0 and tested.step > 0

    @property
    def without_clocks(self) -> list[str]:
        return [event.model_copy(update={"clock": None}).model_dump_json() for event in self.record.events]


Carry = Callable[..., Ran]


@pytest.fixture
def carry(script_task: Task, sandboxes: Sandboxes, tmp_path: Path) -> Carry:
    """Begin or continue a run of an agent on the tiny task, and read what is on disk."""

    def call(
        agent: str,
        model: str = "offline",
        *,
        out: str = "out",
        caps: Caps | None = None,
        control: Control | None = None,
        replay: Path | None = None,
        task: Task = script_task,
        **params: Any,
    ) -> Ran:
        made = find_agent(agent).Params.model_validate(params).model_dump(mode="json")
        spec = RunSpec(agent=agent, params=made, model=model, task=task.name, caps=caps or Caps(steps=5))
        carry_out(spec, tmp_path / out, sandboxes, control or Control(), replay)
        return Ran(read_run(tmp_path / out / "runs" / spec.run_id), Blobs(tmp_path / out / "blobs"))

    return call
