"""The process in which a candidate will run, until it does: it takes its place and gives up its rights."""

import fcntl
import os
import socket
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from assay.sandbox import kernel, wire
from assay.sandbox.bounds import Bounds
from assay.sandbox.confinement import Confinement

OUTPUT_FD = 3
ASKING_FD = 4
"""Where a job that may ask the harness does so."""
OK, FAILED = b"\0", b"\1"
"""First byte of the answer: a payload follows, or JSON with `kind` and `message`."""


@dataclass(frozen=True)
class Heritage:
    """What every worker has from the zygote."""

    confinement: Confinement
    perform: Callable[[str, bytearray, Path], None]
    """Takes the source of perform.py, the inputs and the folder. Handed in, for the server does without its imports."""
    address_space: int | None
    """Bytes mapped before any candidate: not counted against its limit. None where it cannot be known."""


def main(job: int, log: int, output: int, uid: int | None, heritage: Heritage) -> None:
    """Enter the confinement, wait for a job, perform it. Never returns."""
    try:
        channel = _take_seat(job, log, output)
        message, mounts, _, _ = socket.recv_fds(channel, 4096, 1)
        if mounts:
            kernel.setns(mounts[0], kernel.CLONE_NEWNS)
        scratch = Path(os.fsdecode(message))
        folder = scratch / "work"
        heritage.confinement.enter(uid, scratch)
        os.closerange(ASKING_FD + 1, os.sysconf("SC_OPEN_MAX"))
        os.chdir(folder)
        wire.send(channel, {"pid": os.getpid()})
        request, inputs = wire.receive(channel)
        if not request["asks"]:
            channel.close()
        os.environ.update(HOME=str(folder), TMPDIR=str(scratch / "tmp"), USER="candidate")
        tempfile.tempdir = None
        confinement = heritage.confinement
        # programs with a memory manager of their own reserve far more space than they use
        space = None if confinement.grants.programs else heritage.address_space
        Bounds(**request["limits"]).enforce(space, confinement.fellows)
        heritage.perform(request["perform"], inputs, folder)
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(0)


def _take_seat(job: int, log: int, output: int) -> socket.socket:
    """The descriptors a worker has: nothing, log, log, output, and the channel until the job came."""
    os.setsid()
    # above all numbers that are about to be taken
    job, log, output = (fcntl.fcntl(fd, fcntl.F_DUPFD, 64) for fd in (job, log, output))
    for source, target in ((log, 1), (log, 2), (output, OUTPUT_FD), (job, ASKING_FD)):
        os.dup2(source, target, inheritable=target != ASKING_FD)
    return socket.socket(fileno=ASKING_FD)
