"""A real small model on loopback. docs/models.md has the command that serves one; without a server this is skipped."""

import os
from pathlib import Path

import pytest

from assay.models.base import Message, ModelSettings, Prompt
from assay.models.client import open_client
from assay.runs.events import Called, Stepped
from assay.runs.record import read_run
from assay.runs.run import Sandboxes, carry_out
from assay.runs.session import Control
from assay.runs.spec import Caps, RunSpec
from assay.tasks.load import Task

LOCAL = os.environ.get("ASSAY_LOCAL_MODEL", "")
"""For example openai-compatible:smollm2@http://127.0.0.1:8080/v1"""
SETTINGS = ModelSettings(temperature=0, max_output_tokens=200)

pytestmark = [
    pytest.mark.local_model,
    pytest.mark.skipif(not LOCAL, reason="ASSAY_LOCAL_MODEL names no served model; see docs/models.md"),
]


def test_a_real_model_answers_and_its_tokens_are_counted() -> None:
    question = Prompt(messages=(Message(role="user", content="Answer with one word: what is the capital of France?"),))
    completion = open_client(LOCAL, SETTINGS).complete(question)
    assert completion.usable and completion.text.strip()
    assert completion.usage.input_tokens > 5 and 0 < completion.usage.output_tokens <= 200
    assert completion.usage.usd is None


def test_a_run_survives_whatever_a_small_model_says(tiny_task: Task, tmp_path: Path) -> None:
    spec = RunSpec(
        agent="autoresearch", model=LOCAL, settings=SETTINGS, task=str(tiny_task.paths.root), caps=Caps(steps=2)
    )
    with Sandboxes() as sandboxes:
        assert carry_out(spec, tmp_path, sandboxes, Control()).reason == "steps"
    events = read_run(tmp_path / "runs" / spec.run_id).events
    assert sum(isinstance(event, Stepped) for event in events) == 3
    assert sum(isinstance(event, Called) for event in events) >= 4
