"""The server of the sandbox: prepares isolation, keeps a zygote, and gives every job a warden. Run as a module.

It holds no secret and reads no job: the harness passes the channel of a job as a file descriptor, and the warden, which
ends with its job, is the first process to read from it. One warden with its worker is always ready in advance.
"""

import json
import os
import select
import signal
import socket
import sys
from collections.abc import Callable

from assay.sandbox import kernel, warden, wire, zygote
from assay.sandbox.confinement import Confinement, prepare
from assay.sandbox.grants import Grants


class Server:
    """Owns the zygote and the spare warden."""

    def __init__(self, control: socket.socket, preload: list[str], confinement: Confinement) -> None:
        self._control = control
        self._confinement = confinement
        self._launched = 0
        self._proc = os.open("/proc", os.O_RDONLY | os.O_CLOEXEC) if confinement.pid_namespace else -1
        self._requests, theirs = socket.socketpair()
        if os.fork() == 0:
            _in_child(lambda: zygote.run(theirs, preload, confinement), control, self._requests)
        theirs.close()
        reply, _ = wire.receive(self._requests)
        if reply.get("error"):
            raise SystemExit(reply["error"])
        confinement.settle()

    def serve(self, harness: int | None) -> None:
        """Hand out wardens until the harness closes the control socket or dies."""
        spare = self._launch()
        # only now is it known that every layer can be entered
        wire.send(self._control, {"isolation": self._confinement.describe()})
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        if harness is not None:
            poll.register(harness, select.POLLIN)
        while True:
            ready = {fd for fd, _ in poll.poll()}
            if harness in ready:
                return
            message, fds, _, _ = socket.recv_fds(self._control, 1, 1)
            if not message:
                return
            with spare:
                socket.send_fds(spare, [b"j"], fds)
            os.close(fds[0])
            spare = self._launch()

    def _launch(self) -> socket.socket:
        """Start a warden and have the zygote fork its worker. When both are ready, return the link that takes a job."""
        uid = self._confinement.uid(self._launched)
        self._launched += 1
        link, their_link = socket.socketpair()
        job, their_job = socket.socketpair()
        report, their_report = socket.socketpair()
        log, their_log = os.pipe()
        output, their_output = os.pipe()
        pid = self._confinement.fork()
        if pid == 0:
            os.close(their_log)
            os.close(their_output)
            seat = warden.Seat(their_link, job, report, log, output, uid)
            others = [self._control, self._requests, link, their_job, their_report]
            _in_child(lambda: warden.supervise(seat, self._confinement), *others)
        fds = [their_job.fileno(), their_log, their_output, their_report.fileno()]
        if self._confinement.pid_namespace:
            fds.append(os.open(f"{pid}/ns/pid", os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._proc))
        socket.send_fds(self._requests, [json.dumps({"uid": uid}).encode()], fds)
        for sock in (their_link, job, their_job, report, their_report):
            sock.close()
        for fd in (log, output, their_log, their_output, *fds[4:]):
            os.close(fd)
        if not link.recv(1):
            raise SystemExit("a job could not be prepared")
        return link


def _in_child(work: Callable[[], None], *not_mine: socket.socket) -> None:
    """Run the child's work and end the process, whatever happens."""
    status = 1
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for sock in not_mine:
            sock.close()
        work()
        status = 0
    except wire.Closed:
        pass
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(status)


def _hand_over_listener(control: socket.socket, confinement: Confinement) -> None:
    """One byte, with the socket where there is one: only the harness is to hold it."""
    if confinement.listener is None:
        control.sendall(b"-")
        return
    with confinement.listener as listener:
        socket.send_fds(control, [b"l"], [listener.fileno()])
    confinement.listener = None


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    setup, _ = wire.receive(control)
    harness = os.pidfd_open(os.getppid()) if kernel.LINUX else None
    confinement = prepare(setup["hidden"], Grants.of(setup["grants"]))
    _hand_over_listener(control, confinement)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended wardens vanish by themselves
    Server(control, setup["preload"], confinement).serve(harness)


if __name__ == "__main__":
    main()
