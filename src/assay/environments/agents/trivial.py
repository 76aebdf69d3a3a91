"""Runs the starter and hands it in: what a task is worth when nothing is done."""

from collections.abc import Sequence

from assay.environments.agents.base import Decision, Desk, InteractiveAgent, Turn
from assay.environments.environment import FINAL


class Trivial(InteractiveAgent):
    name = "trivial"
    summary = "runs the starter and submits it (MLAgentBench's baseline agent)"
    proposer = "none"

    def decide(self, desk: Desk, history: Sequence[Turn]) -> Decision:
        if not history:
            spec = desk.view.task.spec
            return Decision("Execute Script", {"script_name": spec.script.run if spec.script else spec.editable[0]})
        return Decision(FINAL, {"final_answer": "Done!"})
