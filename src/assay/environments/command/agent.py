"""Any coding agent: a program in the sandboxed workspace, whose only way to measure is to ask the harness."""

import json
import os
import stat
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Literal

from pydantic import Field

from assay.environments.command.host import ASKED_BY_PROGRAM, Host, replay_steps
from assay.environments.command.models import no_way_to_models, open_models
from assay.environments.command.program import Program, run_program
from assay.environments.render import render
from assay.environments.workspace import Workspace, open_workspace
from assay.errors import UsageError
from assay.models.names import OFFLINE
from assay.runs.agents import Opened
from assay.runs.budget import BudgetReached
from assay.runs.events import Acted, Finished
from assay.runs.session import Session
from assay.sandbox.client import Sandbox
from assay.sandbox.grants import Grants
from assay.strategies.base import Params
from assay.strategies.memory import metric_line

TASK_FILE = "TASK.md"


class CommandParams(Params):
    command: str = ""
    """The program and its arguments, as a line for a shell."""
    max_minutes: float = Field(300.0, gt=0)
    memory_mb: int = Field(8192, ge=64)
    allow_network: bool = False
    """The program may reach the network. Its candidates never may."""
    allow_read: tuple[str, ...] = ()
    """Further files and folders that the program may read, such as where it is installed."""
    pass_env: tuple[str, ...] = ()
    """Variables of the environment that the program is given: names, and never values, are recorded."""


class Command:
    """An agent that is a program. After a crash it is started anew, with the code as it was measured last."""

    name: ClassVar[str] = "command"
    summary: ClassVar[str] = "any coding agent with a command line, in the sandboxed workspace (--command)"
    Params: ClassVar[type[Params]] = CommandParams
    proposer: ClassVar[Literal["model", "none"]] = "model"

    @classmethod
    def check(cls, params: Mapping[str, Any]) -> None:
        """Raises UsageError where there is no program, or something that it is to have is not there."""
        given = CommandParams.model_validate(params)
        if not given.command.strip():
            raise UsageError("the agent 'command' needs a program", 'name one: --command "my-agent TASK.md"')
        for path in given.allow_read:
            if not Path(path).expanduser().exists():
                raise UsageError(f"--allow-read: {path} does not exist", "name a file or folder that does")
            if os.geteuid() == 0 and not Path(path).expanduser().stat().st_mode & stat.S_IROTH:
                raise UsageError(
                    f"--allow-read: {path} may be read by its owner alone, and the program runs as another user",
                    f"permit it: chmod -R o+rX {path}; or do not run Assay as root",
                )
        passed(given.pass_env)

    @classmethod
    def drive(cls, opened: Opened) -> Finished:
        params = CommandParams.model_validate(opened.spec.params)
        # tokens and dollars are spent at the gateway, and held there: a program that has used them up may go on
        caps = opened.spec.caps.model_copy(update={"tokens": None, "usd": None})
        session = replace(opened.session, caps=caps)
        session.begin()
        try:
            replay_steps(session)
            if not session.tape.next_is(Acted):
                session.may_act()
            acted = session.end(0, lambda: _run_program(opened, session, params))
            return session.finish(acted.ends or "program")
        except BudgetReached as reached:
            return session.finish(reached.reason)


def _run_program(opened: Opened, session: Session, params: CommandParams) -> Mapping[str, Any]:
    """Start the program and attend to it until it ends; the fields of the event that tells of it."""
    readable = tuple(str(Path(path).expanduser()) for path in params.allow_read)
    asks = opened.spec.model != OFFLINE and not params.allow_network
    grants = Grants(programs=True, network=params.allow_network, readable=readable, loopback=asks)
    with ExitStack() as stack:
        sandbox = stack.enter_context(Sandbox(("numpy",), session.task.spec.hidden, grants))
        if asks and sandbox.listener is None:
            raise no_way_to_models()
        variables = {**passed(params.pass_env), **open_models(stack, opened, sandbox.listener)}
        seconds = _seconds(session, params)
        script = session.task.spec.script is not None
        sends = (*session.task.spec.editable, *(("**/*.py",) if script else ()))
        program = Program(params.command, variables, seconds, params.memory_mb, "validate", sends)
        workspace = open_workspace(session.task, opened.spec.seed, session.blobs)
        code = {path: text.encode() for path, text in session.steps[-1].candidate.files.items()}
        files = {TASK_FILE: _told(session, workspace, seconds).encode(), **code}
        ended = run_program(sandbox, program, files, workspace.fixed, Host(session))
    capped = seconds < params.max_minutes * 60 and ended.exit_code is None
    return {
        "turn": 0,
        "action": ASKED_BY_PROGRAM,
        "arguments": session.blobs.put(json.dumps({"command": params.command})),
        "kind": "ok" if ended.exit_code == 0 else "error",
        "observation": session.blobs.put(ended.transcript),
        "exit_code": ended.exit_code,
        "ran": params.command,
        "ends": "hours" if capped else "program",
    }


def _told(session: Session, workspace: Workspace, seconds: float) -> str:
    """What stands in the program's task file."""
    task = session.task
    steps = [metric_line(f"Validation {step.index}", task.spec.metric, step.value) for step in session.steps[1:]]
    return render(
        "program",
        problem=task.prompt.strip(),
        editable=task.spec.editable,
        fixed=sorted(workspace.fixed),
        modules=task.spec.script is not None,
        validations=None if session.caps.steps is None else session.caps.steps - len(session.steps) + 1,
        minutes=seconds / 60,
        history=steps,
    )


def passed(names: tuple[str, ...]) -> dict[str, str]:
    """Variables of the environment by name. Raises UsageError if one is not set."""
    missing = [name for name in names if name not in os.environ]
    if missing:
        raise UsageError(f"the variable {missing[0]} is not set", "set it, or leave it out of --pass-env")
    return {name: os.environ[name] for name in names}


def _seconds(session: Session, params: CommandParams) -> float:
    """What is left for the program, of its own time and of the run's."""
    hours, spent = session.caps.hours, session.tape.spent.seconds
    left = params.max_minutes * 60
    return left if hours is None else max(min(left, hours * 3600 - spent), 1.0)
