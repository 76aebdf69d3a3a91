"""Any coding agent: a program in the sandboxed workspace, whose only way to measure is to ask the harness."""

import json
import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from pydantic import Field

from assay.environments.command.host import ASKED_BY_PROGRAM, Host, replay_steps
from assay.environments.command.models import open_models
from assay.environments.render import render
from assay.environments.workspace import open_workspace
from assay.errors import AssayError, UsageError
from assay.models.names import OFFLINE
from assay.runs.agents import Opened
from assay.runs.budget import BudgetReached
from assay.runs.events import Acted, Finished
from assay.runs.session import Session
from assay.sandbox.client import Sandbox
from assay.sandbox.grants import Grants
from assay.sandbox.job import Job, Result
from assay.sandbox.log import normalised
from assay.strategies.base import Params
from assay.strategies.memory import metric_line
from assay.tasks.payload import encode
from assay.tasks.spec import Limits

_INSIDE = Path(__file__).parent.parent / "inside" / "program.py"
TASK_FILE = "TASK.md"
_GRACE_SECONDS = 600.0
"""For the last measurement, after the program's own time is over."""


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
        _passed(given.pass_env)

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
            raise AssayError(
                "this machine has no way to let a program reach a model and nothing else",
                "see what it lacks: assay doctor; or permit the whole network: --allow-network",
            )
        variables = {**_passed(params.pass_env), **open_models(stack, opened, sandbox.listener)}
        host = Host(session)
        seconds = _seconds(session, params)
        own_space = "pid-namespace" in sandbox.isolation.measures
        result = sandbox.run(_job(session, opened.spec.seed, params, variables, seconds, own_space), host)
    if result.kind == "infrastructure":
        raise AssayError(f"the program could not be run: {result.message}", "see: assay doctor")
    transcript = _transcript(result)
    put = session.blobs.put
    code = (result.outputs or {}).get("exit_code")
    capped = seconds < params.max_minutes * 60 and code is None
    return {
        "turn": 0,
        "action": ASKED_BY_PROGRAM,
        "arguments": put(json.dumps({"command": params.command})),
        "kind": "ok" if code == 0 else "error",
        "observation": put(transcript),
        "exit_code": code if isinstance(code, int) else None,
        "ran": params.command,
        "ends": "hours" if capped else "program",
    }


def _job(
    session: Session, seed: int, params: CommandParams, variables: Mapping[str, str], seconds: float, own_space: bool
) -> Job:
    task = session.task
    workspace = open_workspace(task, seed, session.blobs)
    code = session.steps[-1].candidate.files
    steps = [metric_line(f"Validation {step.index}", task.spec.metric, step.value) for step in session.steps[1:]]
    told = render(
        "program",
        problem=task.prompt.strip(),
        editable=task.spec.editable,
        fixed=sorted(workspace.fixed),
        modules=task.spec.script is not None,
        validations=None if session.caps.steps is None else session.caps.steps - len(session.steps) + 1,
        minutes=seconds / 60,
        history=steps,
    )
    files = {TASK_FILE: told.encode(), **{path: text.encode() for path, text in code.items()}}
    buffers = {f"file{number}": np.frombuffer(data, np.uint8) for number, data in enumerate(files.values())}
    said = {
        "command": params.command,
        "variables": dict(variables),
        "seconds": seconds,
        "own_space": own_space,
        "paths": list(files),
        "editable": list(task.spec.editable),
        "modules": task.spec.script is not None,
    }
    limits = Limits(
        seconds=seconds + _GRACE_SECONDS, memory_mb=params.memory_mb, processes=512, scratch_mb=4096, output_mb=16
    )
    return Job(_INSIDE.read_text(), {}, encode({**said, **buffers}), limits, workspace.fixed)


def _passed(names: tuple[str, ...]) -> dict[str, str]:
    missing = [name for name in names if name not in os.environ]
    if missing:
        raise UsageError(f"the variable {missing[0]} is not set", "set it, or leave it out of --pass-env")
    return {name: os.environ[name] for name in names}


def _seconds(session: Session, params: CommandParams) -> float:
    """What is left for the program, of its own time and of the run's."""
    hours, spent = session.caps.hours, session.tape.spent.seconds
    left = params.max_minutes * 60
    return left if hours is None else max(min(left, hours * 3600 - spent), 1.0)


def _transcript(result: Result) -> str:
    printed = (result.outputs or {}).get("transcript")
    text = printed.tobytes().decode("utf-8", "replace") if isinstance(printed, np.ndarray) else result.log_tail
    ending = "" if result.kind == "ok" else f"\n[{result.kind}: {result.message}]"
    return normalised(text, {}) + ending
