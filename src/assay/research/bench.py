"""Where experiments run: each command in the sandbox, each recorded, and only what it wrote is kept as a result."""

import re
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from assay.errors import AssayError
from assay.evaluation.evaluate import ATTEMPTS, Runner
from assay.files import digest, drop_cut_line, write_whole
from assay.research.data import DATA, data_file, data_files
from assay.research.evidence import PROCESSES, ProcessRecord, WrittenFile, append_process, read_processes
from assay.research.paths import ResearchPaths
from assay.runs.blobs import Blobs
from assay.sandbox.job import Job, Result
from assay.tasks.payload import encode
from assay.tasks.spec import Limits

STAGE = "experiments"
PERFORM = Path(__file__).parent / "sandboxed.py"
KIT = Path(__file__).parent / "kit"
PATH = re.compile(r"results(/[\w+=,][\w .+=,-]*)+")
"""What may be written. The sandbox's answer is the agent's word: a path is checked before it is used."""
RESERVED = ("results/results.md", "results/paper.md", "results/log.txt")
"""Written by the harness from what a stage says, and never by an experiment."""
MOST_FILES = 1000
LIMITS = Limits(seconds=600, memory_mb=4096, processes=64, scratch_mb=256, output_mb=64)


class Bench:
    """Runs the commands of one research folder. A command that the record holds already is not run again."""

    def __init__(self, paths: ResearchPaths, sandbox: Runner, data: Sequence[str], limits: Limits = LIMITS) -> None:
        """`data` names the data sets that every command finds as files in its working folder."""
        self._paths = paths
        self._sandbox = sandbox
        self._data = data
        self.limits = limits
        self._blobs = Blobs(paths.blobs)
        drop_cut_line(paths.root / PROCESSES)
        self._recorded = [record for record in read_processes(paths.root) if record.stage == STAGE]
        self._used = 0

    @property
    def data(self) -> tuple[str, ...]:
        """The data files, each with what it is, for a reader."""
        return tuple(f"`{data_file(name)}`: {DATA[name].said}" for name in self._data)

    def go_on(self) -> None:
        """Run whatever comes next, also what the record holds already."""
        self._used = len(self._recorded)

    def clear_code(self) -> None:
        """Begin with an empty code folder. What an earlier attempt wrote comes back as its steps are repeated."""
        shutil.rmtree(self._paths.code, ignore_errors=True)

    def write_code(self, files: Mapping[str, str]) -> None:
        """Put files into the code folder, beside the kit. Paths are relative to the research folder."""
        for path, text in {**_kit(), **files}.items():
            write_whole(self._paths.root / path, text)

    def run(self, arguments: Sequence[str]) -> ProcessRecord:
        """Run `python` with the arguments and return the record, which is on disk with all that was written.

        After a crash the same calls are answered from the record as long as code and results are what they were.
        Raises AssayError if the sandbox itself fails.
        """
        command = ("python", *arguments)
        code = {path: self._blobs.put(data.decode()) for path, data in self._files("code", "*.py").items()}
        if record := self._answered(command, code):
            return record
        started = time.time()
        result = self._perform(arguments)
        written, refused = self._keep(result.outputs or {})
        record = ProcessRecord(
            stage=STAGE,
            command=command,
            code=code,
            started=started,
            ended=time.time(),
            exit_code=_exit_code(result),
            written=written,
            output=_output(result, refused),
        )
        append_process(self._paths.root, record)
        self._recorded.append(record)
        self._used = len(self._recorded)
        write_whole(self._paths.log, _log(self._recorded))
        return record

    def _answered(self, command: tuple[str, ...], code: Mapping[str, str]) -> ProcessRecord | None:
        if self._used >= len(self._recorded):
            return None
        record = self._recorded[self._used]
        later = {file.path for other in self._recorded[self._used + 1 :] for file in other.written}
        if record.command != command or record.code != code or not self._still_there(record, later):
            self.go_on()  # the work takes another course than the record
            return None
        self._used += 1
        return record

    def _still_there(self, record: ProcessRecord, later: set[str]) -> bool:
        """Whether the files are as the process left them, but for those that a later one wrote anew."""
        for written in record.written:
            file = self._paths.root / written.path
            if not file.is_file() or (written.path not in later and digest(file.read_bytes()) != written.sha256):
                return False
        return True

    def _perform(self, arguments: Sequence[str]) -> Result:
        files = {**data_files(self._data), **self._files("code", "*.py"), **self._files("results")}
        buffers = {f"file{n}": np.frombuffer(data, np.uint8) for n, data in enumerate(files.values())}
        inputs = encode({"arguments": list(arguments), "paths": list(files), **buffers})
        job = Job(PERFORM.read_text(encoding="utf-8"), {}, inputs, self.limits)
        for _ in range(ATTEMPTS):
            result = self._sandbox.run(job)
            if result.kind != "infrastructure":
                return result
        raise AssayError(f"the experiment could not be run: {result.message}", "see: assay doctor")

    def _files(self, folder: str, pattern: str = "*") -> dict[str, bytes]:
        """What lies in a folder of the research, by path; what only the harness writes is not shown to experiments."""
        root = self._paths.root
        found = sorted(file for file in (root / folder).rglob(pattern) if file.is_file())
        named = {file.relative_to(root).as_posix(): file for file in found}
        return {path: file.read_bytes() for path, file in named.items() if path not in RESERVED}

    def _keep(self, outputs: Mapping[str, Any]) -> tuple[tuple[WrittenFile, ...], list[str]]:
        """Lay what the process wrote into the folder. Returns the files, and the paths that were refused."""
        written, refused = [], []
        for number, path in enumerate(_paths(outputs)):
            data = outputs.get(f"file{number}")
            if not isinstance(data, np.ndarray) or not PATH.fullmatch(path) or path in RESERVED:
                refused.append(path[:200])
                continue
            content = data.tobytes()
            try:
                write_whole(self._paths.root / path, content)
            except OSError:  # a file where a folder is wanted, or a name that is too long
                refused.append(path[:200])
                continue
            written.append(WrittenFile(path=path, sha256=digest(content), bytes=len(content)))
        return tuple(written), refused


def _kit() -> dict[str, str]:
    return {f"code/{file.name}": file.read_text(encoding="utf-8") for file in KIT.glob("[a-z]*.py")}


def _paths(outputs: Mapping[str, Any]) -> list[str]:
    claimed = outputs.get("paths", [])
    return [str(path) for path in claimed[:MOST_FILES]] if isinstance(claimed, list) else []


def _exit_code(result: Result) -> int | None:
    if result.outputs is None:
        return None
    code = result.outputs.get("exit_code")
    return code if isinstance(code, int) else None


def _output(result: Result, refused: Iterable[str]) -> str:
    """What was printed, with what the harness has to add in brackets."""
    added = [] if result.kind == "ok" else [f"[{result.kind}: {result.message}]"]
    added += [f"[not kept: {path}]" for path in refused]
    return "\n".join(filter(None, [result.log_tail.rstrip(), *added]))


def _log(records: Iterable[ProcessRecord]) -> str:
    """The processes in order; the times are the harness's own."""
    parts = []
    for record in records:
        began = datetime.fromtimestamp(record.started, UTC).isoformat(timespec="milliseconds")
        ending = "killed at a limit" if record.exit_code is None else f"exit code {record.exit_code}"
        parts.append(
            f"{began} $ {' '.join(record.command)}\n{record.output}\n({ending} after {record.seconds:.2f} s)\n"
        )
    return "\n".join(parts)
