"""Supervises one job from outside the candidate's reach: limits, log, the end of every process, the answer.

Where the machine permits, a warden is the first process of a process space: when it ends, the kernel ends the others.
"""

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

from assay.sandbox import jail, kernel, wire, worker
from assay.sandbox.bounds import Bounds
from assay.sandbox.confinement import Confinement
from assay.sandbox.log import Log, normalised
from assay.sandbox.relay import AsksTooMuch, Relay
from assay.sandbox.usage import Processes, folder_bytes

_TICK_SECONDS = 0.02
_END_SECONDS = 10.0
_CHUNK = 1 << 18
_CLAIM_BYTES = 1 << 14
_MESSAGE_CHARACTERS = 500


@dataclass(frozen=True)
class Seat:
    """What the server gives a warden to work with."""

    link: socket.socket
    """From the server: brings the channel of a job."""
    job: socket.socket
    """To the worker, until the candidate starts."""
    report: socket.socket
    """From the zygote: how the worker ended."""
    log: int
    output: int
    uid: int | None


@dataclass(frozen=True)
class _Ending:
    """How a job ended."""

    kind: str
    message: str = ""


@dataclass
class _Watch:
    """One candidate while it runs."""

    seat: Seat
    bounds: Bounds
    processes: Processes
    unbounded: Path | None
    """The scratch folder, where no file system of its own bounds it."""
    started: float = field(default_factory=time.monotonic)
    printed: Log = field(default_factory=Log)
    answer: bytearray = field(default_factory=bytearray)
    ended: dict[str, Any] | None = None
    """The zygote's report, once the worker ended."""

    @property
    def too_large(self) -> bool:
        return len(self.answer) > self.bounds.output_bytes


def supervise(seat: Seat, confinement: Confinement) -> None:
    """Get ready, take one job, run it, end every process it left, answer. Raises wire.Closed if nobody waits."""
    if confinement.pid_namespace:
        kernel.die_with_parent()
    scratch = confinement.open_scratch(seat.uid)
    try:
        processes = _admit_worker(seat, confinement, scratch)
        seat.link.sendall(b"r")
        _, fds, _, _ = socket.recv_fds(seat.link, 1, 1)
        if not fds:
            raise wire.Closed
        with socket.socket(fileno=fds[0]) as channel:
            answer, outputs = _carry_out(channel, seat, confinement, scratch, processes)
            confinement.close_scratch(scratch)
            wire.send(channel, answer, outputs)
    finally:
        confinement.close_scratch(scratch)


def _admit_worker(seat: Seat, confinement: Confinement, scratch: Path) -> Processes:
    """Bring the worker into the scratch's file system and wait until it gave up its privileges."""
    processes = Processes(scratch / "tmp" if confinement.pid_namespace else None)
    mounts = []
    if confinement.root is not None:
        kernel.unmount(str(jail.PROC))
        if confinement.grants.programs and confinement.pid_namespace:
            jail.show_processes()
        mounts = [processes.open("self/ns/mnt")]
    socket.send_fds(seat.job, [os.fsencode(scratch)], mounts)
    for fd in mounts:
        os.close(fd)
    try:
        ready, _ = wire.receive(seat.job)
    except wire.Closed:
        raise RuntimeError(os.read(seat.log, _CHUNK).decode(errors="replace").strip()) from None
    processes.begin(ready["pid"])
    return processes


def _carry_out(
    channel: socket.socket, seat: Seat, confinement: Confinement, scratch: Path, processes: Processes
) -> tuple[dict[str, Any], bytes | bytearray]:
    job, inputs = wire.receive(channel)
    bounds = Bounds(**job["limits"])
    confinement.size_scratch(bounds.scratch_mb)
    kept = _write_kept(scratch / "work", job["kept"], inputs, seat.uid)
    if confinement.root is not None:
        jail.keep(kept)
    _write_files(scratch / "work", job["files"], seat.uid)
    wire.send(seat.job, {"perform": job["perform"], "limits": job["limits"], "asks": job["asks"]}, inputs)
    relay = Relay(seat.job, channel) if job["asks"] else None
    if relay is None:
        seat.job.close()
    inputs.clear()
    os.set_blocking(seat.log, False)
    os.set_blocking(seat.output, False)
    watch = _Watch(seat, bounds, processes, scratch if confinement.root is None else None)
    try:
        broken = _attend(watch, channel, relay)
    finally:
        seconds = time.monotonic() - watch.started
        _end_all(watch, confinement)
    _drain(watch)
    ending = broken or _judge(watch)
    own = getrusage(RUSAGE_CHILDREN)
    ended = watch.ended or {"cpu": 0.0, "peak_kb": 0}
    names = {f"{scratch}/work/": "", f"{scratch}/work": ".", f"{scratch}/": "/", **_library_names()}
    answer = {
        "kind": ending.kind,
        "message": normalised(ending.message, names),
        "log_tail": watch.printed.text(names),
        "clock": {
            "seconds": seconds,
            "cpu_seconds": ended["cpu"] + own.ru_utime + own.ru_stime,
            "peak_mb": max(processes.peak_bytes / 2**20, ended["peak_kb"] / 1024),
        },
    }
    return answer, watch.answer[1:] if ending.kind == "ok" else b""


def _write_files(folder: Path, files: dict[str, str], uid: int | None) -> None:
    """The workspace as the candidate sees it and owns it. Paths come from the task, not from the agent."""
    made: set[Path] = set()
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode("utf-8", "surrogatepass"))
        made |= {file, *file.parents}
    if uid is not None:
        for item in made:
            if item.is_relative_to(folder):
                os.chown(item, uid, uid)


def _write_kept(folder: Path, sizes: dict[str, int], data: bytearray, uid: int | None) -> list[Path]:
    """The files that stay as they are: of nobody the candidate could be. They are taken off the front of `data`."""
    files = []
    for path, size in sizes.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data[:size])
        file.chmod(0o444)
        del data[:size]
        files.append(file)
    if uid is not None:
        for place in {parent for file in files for parent in file.parents if parent.is_relative_to(folder)}:
            os.chown(place, uid, uid)
    return files


def _attend(watch: _Watch, channel: socket.socket, relay: Relay | None) -> _Ending | None:
    """Until the worker ends (None) or breaks a limit. Raises wire.Closed when the harness is gone."""
    poll = select.poll()
    for fd in (watch.seat.output, watch.seat.log, watch.seat.report.fileno()):
        poll.register(fd, select.POLLIN)
    poll.register(channel.fileno(), select.POLLHUP | (select.POLLIN if relay else 0))
    if relay:
        poll.register(watch.seat.job.fileno(), select.POLLIN)
    next_look = 0.0
    while True:
        for fd, event in poll.poll(_TICK_SECONDS * 1000):
            if fd == channel.fileno():
                if relay is None or event & select.POLLHUP:
                    raise wire.Closed
                relay.tell()
            elif relay and fd == watch.seat.job.fileno():
                try:
                    if not relay.ask():
                        poll.unregister(fd)
                except AsksTooMuch:
                    return _Ending("crashed", "asked the harness with a line that is too long")
                continue
            if fd == watch.seat.report.fileno():
                watch.ended, _ = wire.receive(watch.seat.report)
                return None
            if not event & select.POLLIN:
                poll.unregister(fd)  # closed by the candidate, which goes on without it
        _drain(watch)
        now = time.monotonic()
        if now - watch.started > watch.bounds.seconds:
            return _Ending("timeout", f"ran longer than {watch.bounds.seconds:g} s")
        if watch.too_large:
            return _too_large(watch)
        if now > next_look:
            next_look = now + _TICK_SECONDS
            _reap_orphans()
            if broken := _look_at(watch):
                return broken


def _look_at(watch: _Watch) -> _Ending | None:
    """All processes of the job together."""
    count, memory = watch.processes.measure(watch.bounds.memory_bytes)
    if count > watch.bounds.processes:
        return _Ending("crashed", f"started more than {watch.bounds.processes} processes")
    if memory > watch.bounds.memory_bytes:
        return _Ending("out_of_memory", f"used more than {watch.bounds.memory_mb} MB in all its processes")
    if watch.unbounded and folder_bytes(watch.unbounded) > watch.bounds.scratch_bytes:
        return _Ending("crashed", f"wrote more than {watch.bounds.scratch_mb} MB")
    return None


def _drain(watch: _Watch) -> None:
    """Take what is in the pipes without waiting, and of the answer no more than is allowed and one piece."""
    with contextlib.suppress(BlockingIOError):
        while not watch.too_large and (data := os.read(watch.seat.output, _CHUNK)):
            watch.answer += data
    with contextlib.suppress(BlockingIOError):
        for _ in range(16):
            if not (data := os.read(watch.seat.log, _CHUNK)):
                break
            watch.printed.feed(data)


def _reap_orphans() -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _end_all(watch: _Watch, confinement: Confinement) -> None:
    """Kill every process of the job and return when they are gone."""
    with contextlib.suppress(ProcessLookupError):
        if confinement.pid_namespace:
            os.kill(-1, signal.SIGKILL)
        else:
            # none can have left the group: the system call filter forbids it
            os.killpg(watch.processes.worker, signal.SIGKILL)
    if watch.ended is None:
        watch.seat.report.settimeout(_END_SECONDS)
        watch.ended, _ = wire.receive(watch.seat.report)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


def _judge(watch: _Watch) -> _Ending:
    """What a worker that ended by itself left behind."""
    assert watch.ended is not None
    status = watch.ended["status"]
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGXCPU:
            return _Ending("timeout", "used more CPU time than its limit")
        return _Ending("crashed", f"killed by {signal.Signals(number).name}")
    if watch.too_large:
        return _too_large(watch)
    tag, body = bytes(watch.answer[:1]), watch.answer[1:]
    if tag == worker.OK:
        return _Ending("ok")
    if tag != worker.FAILED:
        return _Ending("crashed", f"ended without an answer, exit status {os.waitstatus_to_exitcode(status)}")
    return _claimed_failure(body)


def _too_large(watch: _Watch) -> _Ending:
    return _Ending("invalid_output", f"returned more than {watch.bounds.output_mb} MB")


def _claimed_failure(body: bytearray) -> _Ending:
    """A failure in the candidate's own words, which are believed: it can only accuse itself."""
    try:
        claim: Any = json.loads(body[:_CLAIM_BYTES])
        kind, message = claim["kind"], str(claim["message"])[:_MESSAGE_CHARACTERS]
    except (ValueError, TypeError, KeyError, RecursionError):
        kind, message = None, ""
    if kind not in ("crashed", "out_of_memory", "invalid_output"):
        return _Ending("invalid_output", "the outputs are unreadable")
    return _Ending(kind, message)


def _library_names() -> dict[str, str]:
    """Folders of this machine's Python by names that are the same everywhere."""
    return {path: f"<{Path(path).name}>" for path in sys.path if path and Path(path).is_absolute()}
