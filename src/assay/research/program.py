"""Experiments by a coding agent: a program in the sandbox, which runs them on the bench by asking the harness."""

import base64
import shlex
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from assay.base import Frozen
from assay.environments.command.agent import passed
from assay.environments.command.gateway.books import GatewayCall
from assay.environments.command.gateway.server import Gateway
from assay.environments.command.models import no_way_to_models
from assay.environments.command.program import Program, run_program
from assay.models.base import CallLog, Message, ModelSettings, Prompt
from assay.models.names import OFFLINE
from assay.research.bench import KIT, Bench
from assay.research.data import data_files
from assay.research.evidence import ProcessRecord
from assay.research.modelled.render import stage_prompt
from assay.research.modelled.rounds import manifest
from assay.research.modelled.turn import CODE_PATH
from assay.research.paths import ResearchPaths
from assay.research.stages import STAGES, WRITES, Desk, Draft
from assay.sandbox.client import Sandbox
from assay.sandbox.grants import Grants

IN_ROUNDS, COMMAND = "rounds", "command"
REPORT = "results.md"
TASK_FILE = "TASK.md"
MEMORY_MB = 8192


class Experimenter(Frozen):
    """Who does the experiments: the stage's model in rounds, an interactive agent by its name, or a program."""

    name: str = IN_ROUNDS
    command: str = ""
    """The program, as a line for a shell."""
    minutes: float = 60.0
    allow_network: bool = False
    allow_read: tuple[str, ...] = ()
    pass_env: tuple[str, ...] = ()


class BenchHost:
    """Runs what the program asks for as experiments. A command is `code/NAME.py` with its arguments, and no other."""

    def __init__(self, bench: Bench, paths: ResearchPaths) -> None:
        self._bench = bench
        self._paths = paths
        self.processes: list[ProcessRecord] = []
        self.report = ""

    def answer(self, asked: Any) -> dict[str, Any]:
        files = asked.get("files") if isinstance(asked, dict) else None
        given = {str(path): text for path, text in files.items() if isinstance(text, str)} if files else {}
        self.report = given.get(REPORT, "")
        if not isinstance(asked, dict) or asked.get("last"):
            return {}
        try:
            arguments = shlex.split(str(asked.get("arguments", "")))
        except ValueError as error:
            return {"ok": False, "text": f"not a command: {error}"}
        if not arguments or not CODE_PATH.fullmatch(arguments[0]):
            return {"ok": False, "text": "an experiment is code/NAME.py with its arguments"}
        self._bench.write_code({path: text for path, text in given.items() if CODE_PATH.fullmatch(path)})
        record = self._bench.run(arguments)
        self.processes.append(record)
        return {"ok": record.exit_code == 0, "text": _said(record), "files": self._written(record)}

    def idle(self) -> None:
        """Nothing to heed: a stage that is interrupted is done again."""

    def _written(self, record: ProcessRecord) -> dict[str, str]:
        contents = {file.path: (self._paths.root / file.path).read_bytes() for file in record.written}
        return {path: base64.b64encode(data).decode() for path, data in contents.items()}


def experiments_by_program(
    experimenter: Experimenter, desk: Desk, model: str, settings: ModelSettings, calls: Callable[[], CallLog]
) -> Draft:
    """The stage, done by a program. Its models are asked through the gateway, into the stage's record.

    Raises AssayError if the sandbox fails, and UsageError for what is not there.
    """
    asks = model != OFFLINE and not experimenter.allow_network
    readable = tuple(str(Path(path).expanduser()) for path in experimenter.allow_read)
    grants = Grants(programs=True, network=experimenter.allow_network, readable=readable, loopback=asks)
    desk.bench.clear_code()
    desk.bench.go_on()
    host = BenchHost(desk.bench, desk.paths)
    with ExitStack() as stack:
        sandbox = stack.enter_context(Sandbox(("numpy",), grants=grants))
        if asks and sandbox.listener is None:
            raise no_way_to_models()
        variables = passed(experimenter.pass_env)
        if model != OFFLINE:
            log = calls()

            def after(call: GatewayCall) -> None:
                prompt = Prompt(messages=(Message(role="user", content=call.request),))
                log.save(prompt.key(call.model, settings), prompt, call.completion, call.seconds)

            gateway = Gateway(
                [model],
                lambda _: log.before_call(),
                after,
                listener=sandbox.listener,
                hosted_tools=experimenter.allow_network,
            )
            variables |= stack.enter_context(gateway).variables
        seconds = experimenter.minutes * 60
        program = Program(experimenter.command, variables, seconds, MEMORY_MB, "run", ("code/**/*.py", REPORT))
        told = stage_prompt("experiments_by_program", desk, "experiments", minutes=experimenter.minutes, report=REPORT)
        kit = {f"code/{file.name}": file.read_bytes() for file in KIT.glob("[a-z]*.py")}
        files = {TASK_FILE: told.messages[-1].content.encode(), **kit}
        ended = run_program(sandbox, program, files, _kept(desk), host)
    notes = []
    if ended.exit_code != 0:
        how = "was ended at its limit" if ended.exit_code is None else f"ended with {ended.exit_code}"
        notes.append(f"the program {how}; its last words: {ended.transcript[-300:]}")
    if not any(process.exit_code == 0 and process.written for process in host.processes):
        notes.append("nothing was measured: no command ended well and left a file")
    if not host.report.strip():
        notes.append(f"the program left no {REPORT}")
    return Draft(text=host.report.strip() or _plain_report(host.processes), notes=tuple(notes))


def _kept(desk: Desk) -> dict[str, bytes]:
    texts = {WRITES[stage]: desk.text(stage).encode() for stage in STAGES[: STAGES.index("experiments")]}
    return {**texts, **data_files(desk.brief.data)}


def _said(record: ProcessRecord) -> str:
    ending = "killed at a limit" if record.exit_code is None else f"exit code {record.exit_code}"
    wrote = f"\nwrote: {', '.join(file.path for file in record.written)}" if record.written else ""
    return f"{record.output}\n({ending}){wrote}"


def _plain_report(processes: list[ProcessRecord]) -> str:
    return f"The experimenter left no report. These commands were run:\n\n{manifest(processes)}\n"
