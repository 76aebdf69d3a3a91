"""Experiments by one of the interactive agents: it reads, writes and runs through actions until it hands in."""

from collections.abc import Iterator

from assay.environments.actions.base import Doing, Helpers
from assay.environments.actions.catalogue import CATALOGUE
from assay.environments.agents.base import Desk as AgentDesk
from assay.environments.agents.base import InteractiveAgent, Turn
from assay.environments.environment import VALIDATE, Observation, act
from assay.environments.workspace import Workspace
from assay.models.base import Client
from assay.research.bench import KIT
from assay.research.data import data_files
from assay.research.modelled.render import render, stage_prompt
from assay.research.modelled.rounds import Conducted, manifest
from assay.research.recorded import RecordedRunner
from assay.research.stages import STAGES, WRITES, Desk
from assay.runs.blobs import Blobs

WITHOUT = (VALIDATE, "Python REPL", "Request Help")
"""Nothing is measured here but by experiments, and those are scripts."""


def conduct_interactively(client: Client, desk: Desk, agent: InteractiveAgent) -> Conducted:
    """Turns until the agent hands in or has no more. All of it is answered from the record when a stage is repeated."""
    bench = desk.bench
    bench.clear_code()
    runner = RecordedRunner(bench, desk.paths)
    workspace = Workspace(Blobs(desk.paths.blobs), dict(_given(desk)), dict(_kit()))
    problem = stage_prompt("experiments_by_actions", desk, "experiments").messages[-1].content
    turns: list[Turn] = []
    notes: list[str] = []
    seat = AgentDesk(
        problem=problem,
        budget=render("budget_of_actions", turns=agent.params.max_turns, seconds=bench.limits.seconds),
        actions={name: info for name, info in CATALOGUE.items() if name not in WITHOUT},
        workspace=workspace,
        on_task=None,
        validations=0,
        model=client,
        fast=client,
    )
    while True:
        if sum(not turn.bookkeeping for turn in turns) >= agent.params.max_turns:
            notes.append(f"the agent did not hand in within {agent.params.max_turns} actions")
            break
        decision = agent.decide(seat, turns)
        if decision.ends is not None:
            notes.append(f"the agent stopped experimenting: {decision.ends}")
            break
        doing = Doing(workspace, runner, bench.limits, Helpers(client, client), problem)
        known = decision.action in seat.actions or not decision.action
        seen = act(decision.action if known else "", decision.arguments, doing)
        if decision.problem:
            seen = Observation(decision.problem, "format")
        shown = agent.shown(seat, decision, seen.text)
        turns.append(
            Turn(
                decision.said,
                decision.action,
                decision.arguments,
                seen.kind,
                shown,
                doing.exit_code,
                decision.bookkeeping,
            )
        )
        if seen.kind == "end":
            break
    ran = manifest(runner.processes)
    conversation = stage_prompt("experiments_done", desk, "experiments", manifest=ran, said=_last_words(turns))
    return Conducted(conversation, tuple(runner.processes), tuple(notes))


def _given(desk: Desk) -> Iterator[tuple[str, bytes]]:
    """What the agent may read: the brief, the texts so far, the data."""
    yield "task.md", desk.task.encode()
    for stage in STAGES[: STAGES.index("experiments")]:
        yield WRITES[stage], desk.text(stage).encode()
    yield from data_files(desk.brief.data).items()


def _kit() -> Iterator[tuple[str, bytes]]:
    for file in sorted(KIT.glob("[a-z]*.py")):
        yield f"code/{file.name}", file.read_bytes()


def _last_words(turns: list[Turn]) -> str:
    last = turns[-1] if turns else None
    if last is None or last.kind != "end" or isinstance(last.arguments, str):
        return ""
    return str(last.arguments.get("final_answer", ""))
