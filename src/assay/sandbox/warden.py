"""Supervises one job from outside the candidate's reach: limits, logs, the end of every process, the answer."""

import contextlib
import json
import os
import select
import signal
import socket
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import Any

from assay.sandbox import wire, worker
from assay.sandbox.confinement import Confinement, Scratch
from assay.sandbox.log import Log, normalised
from assay.tasks.spec import Limits

_TICK_SECONDS = 0.02
_CHUNK = 1 << 18


@dataclass
class _Ending:
    """How the job ended, as far as it is known."""

    kind: str
    message: str


@dataclass
class _Watch:
    """One candidate process while it runs."""

    pid: int
    output: int
    log: int
    limits: Limits
    started: float = field(default_factory=time.monotonic)
    printed: Log = field(default_factory=Log)
    answer: bytearray = field(default_factory=bytearray)
    status: int | None = None
    """Wait status of the candidate, once it ended."""


def supervise(channel: socket.socket, confinement: Confinement) -> None:
    """Take one job from the channel, run it, end every process it left, answer. Raises wire.Closed if nobody waits."""
    job, inputs = wire.receive(channel)
    limits = Limits.model_validate(job["limits"])
    with confinement.scratch(limits) as scratch:
        write_files(scratch.folder, job["files"])
        scratch.hand_over()
        watch = _start(job["perform"], inputs, scratch, limits, confinement)
        inputs.clear()
        try:
            ending = _attend(watch, channel, confinement, scratch)
        finally:
            confinement.end_all(watch.pid)
        _drain(watch)
        ending = ending or _judge(watch)
        replacements = {f"{scratch.folder}/": "", str(scratch.folder): ".", **_library_names()}
        usage = getrusage(RUSAGE_CHILDREN)
        answer = {
            "kind": ending.kind,
            "message": normalised(ending.message, replacements),
            "log_tail": watch.printed.text(replacements),
            "clock": {
                "seconds": time.monotonic() - watch.started,
                "cpu_seconds": usage.ru_utime + usage.ru_stime,
                "peak_mb": usage.ru_maxrss / 1024,
            },
        }
    wire.send(channel, answer, watch.answer[1:] if ending.kind == "ok" else b"")


def write_files(folder: Path, files: dict[str, str]) -> None:
    """The workspace as the candidate sees it. Paths come from the task, not from the agent."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8", "surrogatepass"))


def _start(perform: str, inputs: bytearray, scratch: Scratch, limits: Limits, confinement: Confinement) -> _Watch:
    output, output_end = os.pipe()
    log, log_end = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            os.dup2(log_end, 1)
            os.dup2(log_end, 2)
            os.dup2(output_end, worker.OUTPUT_FD)
            os.closerange(worker.OUTPUT_FD + 1, os.sysconf("SC_OPEN_MAX"))
            os.chdir(scratch.folder)
            confinement.enter(scratch, limits)
            worker.run(perform, inputs, scratch.folder)
        finally:
            os._exit(0)
    os.close(output_end)
    os.close(log_end)
    os.set_blocking(output, False)
    os.set_blocking(log, False)
    return _Watch(pid, output, log, limits)


def _attend(watch: _Watch, channel: socket.socket, confinement: Confinement, scratch: Scratch) -> _Ending | None:
    """Until the candidate ends (None) or breaks a limit."""
    poll = select.poll()
    pidfd = os.pidfd_open(watch.pid)
    for fd in (watch.output, watch.log, pidfd):
        poll.register(fd, select.POLLIN)
    poll.register(channel.fileno(), select.POLLHUP)
    while True:
        events = poll.poll(_TICK_SECONDS * 1000)
        for fd, event in events:
            if fd == channel.fileno():
                raise wire.Closed
            if event & select.POLLHUP and not event & select.POLLIN and fd != pidfd:
                poll.unregister(fd)
        _drain(watch)
        if _reap(watch):
            return None
        seconds = watch.limits.seconds
        if time.monotonic() - watch.started > seconds:
            return _Ending("timeout", f"ran longer than {seconds:g} s")
        if len(watch.answer) > watch.limits.output_mb << 20:
            return _Ending("invalid_output", f"returned more than {watch.limits.output_mb} MB")


def _drain(watch: _Watch) -> None:
    """Take what is in the pipes without waiting, and no more than one over the limit of the answer."""
    with contextlib.suppress(BlockingIOError):
        while len(watch.answer) <= watch.limits.output_mb << 20 and (data := os.read(watch.output, _CHUNK)):
            watch.answer += data
    with contextlib.suppress(BlockingIOError):
        for _ in range(16):
            if not (data := os.read(watch.log, _CHUNK)):
                break
            watch.printed.feed(data)


def _reap(watch: _Watch) -> bool:
    """Collect ended processes, orphans of the candidate among them. True once the candidate itself ended."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            if pid == watch.pid:
                watch.status = status
    return watch.status is not None


def _judge(watch: _Watch) -> _Ending:
    """What a candidate that ended by itself left behind."""
    status = watch.status or 0
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return _Ending("timeout", "used more CPU time than its limit")
        return _Ending("crashed", f"killed by {signal.Signals(number).name}")
    if len(watch.answer) > watch.limits.output_mb << 20:
        return _Ending("invalid_output", f"returned more than {watch.limits.output_mb} MB")
    tag, body = bytes(watch.answer[:1]), watch.answer[1:]
    if tag == worker.OK:
        return _Ending("ok", "")
    if tag != worker.FAILED:
        return _Ending("crashed", f"ended without an answer, exit status {os.waitstatus_to_exitcode(status)}")
    return _claimed_failure(body)


def _claimed_failure(body: bytearray) -> _Ending:
    """A failure in the candidate's own words, which are believed: it can only accuse itself."""
    try:
        claim: Any = json.loads(body)
        kind, message = claim["kind"], str(claim["message"])
    except (ValueError, TypeError, KeyError, RecursionError):
        kind, message = None, ""
    if kind not in ("crashed", "out_of_memory", "invalid_output"):
        return _Ending("invalid_output", "the outputs are unreadable")
    return _Ending(kind, message)


def _library_names() -> dict[str, str]:
    """Folders of this machine's Python by names that are the same everywhere."""
    return {path: f"<{Path(path).name}>" for path in sys.path if path and Path(path).is_absolute()}
