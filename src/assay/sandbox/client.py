"""The harness's side of the sandbox."""

import select
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import asdict
from types import TracebackType
from typing import IO, Any, Protocol, Self

from assay.errors import AssayError
from assay.sandbox import wire
from assay.sandbox.grants import NONE, Grants
from assay.sandbox.job import Isolation, Job, Result
from assay.tasks.outcome import EvaluationClock
from assay.tasks.payload import PayloadError, decode

_START_SECONDS = 120.0
_END_SECONDS = 5.0
_GRACE_SECONDS = 30.0
"""How long after a job's own limit the harness still waits for its warden, before it gives the server up."""

# one thread in every numeric library: a candidate is measured on one core, and a fork server must not have threads
_ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "LANG": "C.UTF-8",
    "TZ": "UTC",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONUNBUFFERED": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMEXPR_NUM_THREADS": "1",
}


_IDLE_SECONDS = 0.25


class Host(Protocol):
    """Who attends to a job while it runs. What either method raises ends the job, and is raised by `Sandbox.run`."""

    def answer(self, asked: Any) -> Any:
        """What the process asks, and what it is told: JSON both ways. What is asked is hostile."""

    def idle(self) -> None:
        """Called several times a second while nothing is asked."""


class ServerFailed(Exception):
    """The fork server could not start, or died."""


class Sandbox:
    """Runs jobs, each in a fresh process forked from a server that has the heavy imports done.

    The server starts at the first use and again whenever it died. `run` may be called from several threads. Close it,
    or use it as a context manager; if the harness is killed, the server and all its jobs end with it.
    """

    def __init__(self, preload: Sequence[str] = ("numpy",), hidden: Sequence[str] = (), grants: Grants = NONE) -> None:
        self._setup = {"preload": list(preload), "hidden": list(hidden), "grants": asdict(grants)}
        self._lock = threading.Lock()
        self._server: _Server | None = None

    @property
    def isolation(self) -> Isolation:
        """What is active between candidates and this machine. Raises AssayError if the server cannot start."""
        return self._started().isolation

    @property
    def listener(self) -> socket.socket | None:
        """A listening socket, for the harness to accept on, that only jobs of this sandbox can connect to.

        None unless `loopback` is granted and this machine can keep to it. It is closed with the sandbox, if not before.
        Raises AssayError if the server cannot start.
        """
        return self._started().listener

    def run(self, job: Job, host: Host | None = None) -> Result:
        """Run one job to its end. Never raises for what a candidate does; a dead server is kind `infrastructure`.

        With a host, the process may ask while it runs: a line of JSON on descriptor 4, and a line comes back.
        """
        try:
            server = self._running()
            with server.open_job() as channel:
                channel.settimeout(job.limits.seconds + _GRACE_SECONDS)
                return _converse(channel, job, host)
        except ServerFailed as error:
            return Result("infrastructure", message=f"the sandbox does not start: {error}")
        except wire.Closed:
            server.end()  # what is left of it, so that the next job gets a new one
            return Result("infrastructure", message="the sandbox's server ended during the job")
        except TimeoutError:
            server.end()
            return Result("infrastructure", message="the sandbox's server did not answer in time")

    def close(self) -> None:
        """End the server and everything in it. The sandbox may be used again: it then starts a new one."""
        with self._lock:
            if self._server:
                self._server.end()
                self._server = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _started(self) -> "_Server":
        try:
            return self._running()
        except ServerFailed as error:
            raise AssayError(
                f"the sandbox does not start: {error}", "see what this machine offers: assay doctor"
            ) from None

    def _running(self) -> "_Server":
        with self._lock:
            if self._server is None or not self._server.alive:
                if self._server:
                    self._server.end()
                self._server = None
                self._server = _Server(self._setup)
            return self._server


class _Server:
    """One fork server process. Raises ServerFailed if it does not come up."""

    def __init__(self, setup: dict[str, Any]) -> None:
        self.listener: socket.socket | None = None
        self._control, theirs = socket.socketpair()
        self._sending = threading.Lock()
        with theirs, tempfile.TemporaryFile() as errors:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "assay.sandbox.server", str(theirs.fileno())],
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                env=_ENVIRONMENT,
                start_new_session=True,
            )
            theirs.close()
            self.isolation = self._greet(setup, errors)

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def open_job(self) -> socket.socket:
        """A channel to a warden of its own, made by the server. Raises ServerFailed if there is no server."""
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                with self._sending:
                    socket.send_fds(self._control, [b"j"], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise ServerFailed(str(error)) from error
        return ours

    def end(self) -> None:
        """Return when the server is gone, and with it, where it has a process space of its own, all its processes."""
        self._control.close()
        if self.listener:
            self.listener.close()
        try:
            self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _greet(self, setup: dict[str, Any], errors: IO[bytes]) -> Isolation:
        self._control.settimeout(_START_SECONDS)
        try:
            wire.send(self._control, setup)
            _, fds, _, _ = socket.recv_fds(self._control, 1, 1)
            if fds:
                self.listener = socket.socket(fileno=fds[0])
                self.listener.set_inheritable(False)
            hello, _ = wire.receive(self._control)
        except (wire.Closed, OSError) as error:
            self.end()
            errors.seek(0)
            lines = errors.read().decode(errors="replace").strip().splitlines()
            raise ServerFailed("; ".join(lines[-3:]) if lines else f"no word from it ({error!r})") from error
        self._control.settimeout(None)
        return Isolation.model_validate(hello["isolation"])


def _attended(channel: socket.socket, host: Host | None) -> tuple[dict[str, Any], bytearray]:
    """The next message. A host is heard while there is none."""
    while host and not select.select([channel], [], [], _IDLE_SECONDS)[0]:
        host.idle()
    return wire.receive(channel)


def _converse(channel: socket.socket, job: Job, host: Host | None) -> Result:
    header = {
        "perform": job.perform_source,
        "files": dict(job.files),
        "limits": job.limits.model_dump(),
        "kept": {path: len(data) for path, data in job.kept.items()},
        "asks": host is not None,
    }
    wire.send(channel, header, b"".join([*job.kept.values(), job.inputs]))
    ended, outputs = _attended(channel, host)
    while host and "asked" in ended:
        wire.send(channel, {"told": host.answer(ended["asked"])})
        ended, outputs = _attended(channel, host)
    result = Result(
        kind=ended["kind"],
        message=ended["message"],
        log_tail=ended["log_tail"],
        clock=EvaluationClock.model_validate(ended["clock"]),
    )
    if result.kind != "ok":
        return result
    try:
        return Result("ok", decode(bytes(outputs)), result.message, result.log_tail, result.clock)
    except PayloadError as error:
        return Result("invalid_output", None, f"the outputs are unreadable: {error}", result.log_tail, result.clock)
