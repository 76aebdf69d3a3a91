"""Without a model every agent is the same agent: it looks, edits, runs, keeps what helps and hands that in."""

from typing import Any

import pytest

from assay.runs.spec import Caps


@pytest.mark.parametrize("agent", ["action_only", "react", "mlab_research", "tools"])
def test_without_a_model_an_agent_improves_and_hands_in_its_best(agent: str, carry: Any) -> None:
    ran = carry(agent, caps=Caps(steps=8), max_turns=60)
    baseline, best = ran.record.tested("baseline"), ran.record.tested("best")
    assert best.outcome.value < baseline.outcome.value
    values = [step.outcome.value for step in ran.of("stepped") if step.outcome.value is not None]
    assert min(values) == values[ran.record.finished.best]
    assert ran.turns[0].action == "List Files" and ran.of("called") == []
