"""The process in which a candidate will run, up to the moment when it does: it takes its place and gives up its rights."""

import fcntl
import os
import socket
import sys
import tempfile
from pathlib import Path

from assay.sandbox import kernel, wire
from assay.sandbox.confinement import Confinement
from assay.tasks.spec import Limits

OUTPUT_FD = 3
OK, FAILED = b"\0", b"\1"
"""First byte of the answer: a payload follows, or JSON with `kind` and `message`."""


def main(job: int, log: int, output: int, uid: int | None, confinement: Confinement) -> None:
    """Enter the confinement, wait for a job, run it. Never returns."""
    try:
        base_bytes = _address_space()
        channel = _take_seat(job, log, output)
        message, mounts, _, _ = socket.recv_fds(channel, 4096, 1)
        if mounts:
            kernel.setns(mounts[0], kernel.CLONE_NEWNS)
        scratch = Path(os.fsdecode(message))
        folder = scratch / "work"
        confinement.enter(uid, scratch)
        os.closerange(OUTPUT_FD + 2, os.sysconf("SC_OPEN_MAX"))
        os.chdir(folder)
        wire.send(channel, {"pid": os.getpid()})
        request, inputs = wire.receive(channel)
        channel.close()
        os.environ.update(HOME=str(folder), TMPDIR=str(scratch / "tmp"), USER="candidate")
        tempfile.tempdir = None
        confinement.limit(Limits.model_validate(request["limits"]), base_bytes)
        # the zygote has it already; the server and the wardens do without numpy
        from assay.sandbox import performance

        performance.run(request["perform"], inputs, folder)
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
    finally:
        os._exit(0)


def _take_seat(job: int, log: int, output: int) -> socket.socket:
    """The descriptors a worker has: nothing, log, log, output, and the channel until the job came."""
    os.setsid()
    # above all numbers that are about to be taken
    job, log, output = (fcntl.fcntl(fd, fcntl.F_DUPFD, 64) for fd in (job, log, output))
    for source, target in ((log, 1), (log, 2), (output, OUTPUT_FD), (job, OUTPUT_FD + 1)):
        os.dup2(source, target, inheritable=target != OUTPUT_FD + 1)
    return socket.socket(fileno=OUTPUT_FD + 1)


def _address_space() -> int:
    """Bytes this process has mapped already; the candidate's limit comes on top."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")
