"""The fork server: imports what candidates need, then forks a warden for every job. Run as a module.

It holds no secret and reads no job: the harness passes the channel of a job as a file descriptor, and the warden, which
dies with its job, is the first process to read from it. So no job can find another one's data in the memory it inherits.
"""

import gc
import importlib
import os
import select
import signal
import socket
import sys

from assay.sandbox import warden, wire
from assay.sandbox.confinement import Confinement, prepare


def main() -> None:
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    setup, _ = wire.receive(control)
    for name in setup["preload"]:
        importlib.import_module(name)
    confinement = prepare(setup["hidden"])
    # what lives now is never collected and never touched by a collection in a child, so its pages stay shared
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # ended wardens vanish by themselves
    wire.send(control, {"isolation": confinement.describe()})
    serve(control, confinement)


def serve(control: socket.socket, confinement: Confinement) -> None:
    """Fork a warden for each channel that arrives, until the harness closes the control socket or dies."""
    harness = os.pidfd_open(os.getppid())
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(harness, select.POLLIN)
    while True:
        ready = {fd for fd, _ in poll.poll()}
        if harness in ready:
            return
        message, fds, _, _ = socket.recv_fds(control, 1, 1)
        if not message:
            return
        with socket.socket(fileno=fds[0]) as channel:
            if confinement.fork() == 0:
                control.close()
                _watch_over(channel, confinement)


def _watch_over(channel: socket.socket, confinement: Confinement) -> None:
    """In the forked process: never returns to the server's loop."""
    try:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        warden.supervise(channel, confinement)
    except wire.Closed:
        pass
    finally:
        os._exit(0)


if __name__ == "__main__":
    main()
