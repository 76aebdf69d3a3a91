"""The process that has the heavy imports done and forks workers, each into the process space of its warden.

It is told nothing about jobs but which descriptors to hand on, so a worker inherits no data of any other job.
"""

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
from collections.abc import Iterable
from pathlib import Path

from assay.sandbox import kernel, wire, worker
from assay.sandbox.confinement import Confinement

REQUEST_BYTES = 64


def run(requests: socket.socket, preload: Iterable[str], confinement: Confinement) -> None:
    """Import, say so, then fork a worker for every request until the server is gone."""
    if kernel.LINUX:
        kernel.die_with_parent()
    try:
        for name in preload:
            importlib.import_module(name)
    except Exception as error:
        wire.send(requests, {"error": f"preload '{name}' cannot be imported: {error!r}"})
        return
    # late: brings numpy, which the server and the wardens, forked from the same module, do without
    from assay.sandbox import performance

    performance.forget_the_harness()
    _warm_up()
    heritage = worker.Heritage(confinement, performance.run, _address_space())
    wire.send(requests, {})
    _serve(requests, heritage)


def _warm_up() -> None:
    """Do once here what would otherwise be done anew in every worker."""
    with contextlib.suppress(ImportError):
        import numpy as np

        np.linalg.solve(np.eye(3) + np.random.rand(3, 3), np.ones(3))
    if "sklearn" in sys.modules:
        # finds the thread pools of the loaded libraries by reading /proc, which a candidate has not
        from sklearn.utils.parallel import _get_threadpool_controller

        _get_threadpool_controller()
    # what lives now is not looked at by collections in the workers, so its pages stay shared
    gc.collect()
    gc.freeze()


def _address_space() -> int | None:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def _serve(requests: socket.socket, heritage: worker.Heritage) -> None:
    woken, waker = os.pipe()
    for fd in (woken, waker):
        os.set_blocking(fd, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(waker)
    reports: dict[int, socket.socket] = {}
    poll = select.poll()
    poll.register(requests, select.POLLIN)
    poll.register(woken, select.POLLIN)
    while True:
        ready = {fd for fd, _ in poll.poll()}
        if woken in ready:
            os.read(woken, 4096)
            _report_ended(reports)
        if requests.fileno() in ready:
            message, fds, _, _ = socket.recv_fds(requests, REQUEST_BYTES, 5)
            if not message:
                return
            job, log, output, report, *pids = fds
            uid = json.loads(message)["uid"]
            pid = heritage.confinement.fork_into(pids[0] if pids else None)
            if pid == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                worker.main(job, log, output, uid, heritage)
            reports[pid] = socket.socket(fileno=report)
            for fd in (job, log, output, *pids):
                os.close(fd)


def _report_ended(reports: dict[int, socket.socket]) -> None:
    """Tell each warden how its worker ended."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status, usage = os.wait4(-1, os.WNOHANG)
            if pid == 0:
                return
            report = reports.pop(pid, None)
            if report is not None:
                ended = {"status": status, "cpu": usage.ru_utime + usage.ru_stime, "peak_kb": usage.ru_maxrss}
                with report, contextlib.suppress(wire.Closed):
                    wire.send(report, ended)
