"""The sandbox on machines that give less than this one, and its end together with the harness."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from assay.sandbox import kernel, landlock, seccomp

pytestmark = pytest.mark.skipif(not kernel.LINUX, reason="these layers exist on Linux alone")

HARNESS = """
import json, sys
import numpy as np
from assay.sandbox.client import Sandbox
from assay.sandbox.job import Job
from assay.tasks.payload import encode
from assay.tasks.spec import Limits

PERFORM = "def perform(candidate, inputs): return {'y': candidate.load('algorithm.py').solve(inputs['x'])}"
with Sandbox() as sandbox:
    isolation = sandbox.isolation
    print(json.dumps({"level": isolation.level, "measures": isolation.measures, "missing": isolation.missing}))
    for source in json.loads(sys.argv[1]):
        limits = Limits(seconds=2, memory_mb=256, processes=8, scratch_mb=4)
        result = sandbox.run(Job(PERFORM, {"algorithm.py": source}, encode({"x": np.arange(4.0)}), limits))
        outputs = result.outputs and result.outputs["y"]
        print(json.dumps([result.kind, outputs, result.message]), flush=True)
"""
NORMAL = "def solve(x): return float(x.sum())"
READS = """
def solve(x):
    got = []
    for path in {paths!r}:
        try:
            open(path, 'rb').read(1)
            got.append(path)
        except OSError:
            pass
    return got
"""
DAEMON = """
import os, time
def solve(x):
    if os.fork() == 0:
        try:
            os.setsid()
        except OSError:
            pass
        time.sleep(600)
    return 1
"""
FILLS = "i = 0\nwhile True:\n    i += 1\n    open(f'{i}', 'wb').write(bytes(100_000))"
CONNECTS = "import socket\ndef solve(x): socket.socket()"
FORKS = "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass"


NOBODY = 65534


def as_another_user() -> None:
    """A harness that is not root: nothing but a user namespace gives it namespaces."""
    if os.geteuid() == 0:
        kernel.unshare(kernel.CLONE_NEWNS)
        kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
        for path in (Path(sys.base_prefix), Path(sys.prefix), Path(kernel.__file__).parent.parent.parent):
            open_the_way_to(path)
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def open_the_way_to(path: Path) -> None:
    """Let other users reach a folder below a private one, such as root's home, in this mount namespace."""
    private = [folder for folder in reversed(path.parents) if not folder.stat().st_mode & stat.S_IXOTH]
    if private:
        kernel.mount(str(path), "/mnt", "", kernel.MS_BIND | kernel.MS_REC)
        kernel.mount("none", str(private[0]), "tmpfs", 0, "mode=755")
        path.mkdir(parents=True, mode=0o755)
        kernel.mount("/mnt", str(path), "", kernel.MS_BIND | kernel.MS_REC)


def without_namespaces() -> None:
    """As in most containers: root, but not permitted to unshare or mount."""
    kernel.prctl(38, 1)
    seccomp.enforce(seccomp.program(keep_group=False))


def run_in(restriction, sources: list[str]) -> tuple[dict, list]:
    """A harness of its own, under a restriction that holds for it and all it starts."""
    done = subprocess.run(
        [sys.executable, "-c", HARNESS, json.dumps(sources)],
        preexec_fn=restriction,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    isolation, *results = map(json.loads, done.stdout.splitlines())
    return isolation, results


def secret_paths() -> list[str]:
    import sklearn

    import assay

    data = Path(sklearn.__file__).parent / "datasets" / "data" / "iris.csv"
    return [assay.__file__, str(data), "/etc/passwd", f"/proc/{os.getpid()}/environ", "/proc/self/environ"]


@pytest.fixture(scope="module")
def user_namespaces() -> None:
    probe = subprocess.run(
        [sys.executable, "-c", "from assay.sandbox.kernel import *; unshare(CLONE_NEWUSER | CLONE_NEWNS)"],
        preexec_fn=as_another_user,
        capture_output=True,
    )
    if probe.returncode:
        pytest.skip("user namespaces are not permitted here")


@pytest.mark.usefixtures("user_namespaces")
def test_without_privileges_a_user_namespace_gives_the_same_isolation():
    sources = [NORMAL, READS.format(paths=secret_paths()), CONNECTS, DAEMON, FILLS, FORKS, NORMAL]
    isolation, results = run_in(as_another_user, sources)
    assert isolation["level"] == "full" and "user-namespace" in isolation["measures"]
    kinds = [kind for kind, _, _ in results]
    assert kinds[:5] == ["ok", "ok", "crashed", "ok", "crashed"] and kinds[6] == "ok"
    assert kinds[5] in ("crashed", "timeout")
    assert results[1][1] == []
    assert "PermissionError" in results[2][2]
    assert "No space left" in results[4][2]


@pytest.mark.skipif(not landlock.abi() or not seccomp.supported(), reason="needs Landlock and seccomp")
def test_without_namespaces_files_network_and_processes_are_still_held():
    sources = [NORMAL, READS.format(paths=secret_paths()), CONNECTS, DAEMON, FILLS, FORKS, NORMAL]
    isolation, results = run_in(without_namespaces, sources)
    assert isolation["level"] == "partial"
    assert any(reason.startswith("namespaces") for reason in isolation["missing"])
    kinds = [kind for kind, _, _ in results]
    assert kinds[:5] == ["ok", "ok", "crashed", "ok", "crashed"] and kinds[6] == "ok"
    assert kinds[5] in ("crashed", "timeout")
    assert results[1][1] == []
    assert "PermissionError" in results[2][2]
    assert results[4][2] == "wrote more than 4 MB"


LOOPBACK = """
import json, sys, threading
from assay.sandbox.client import Sandbox
from assay.sandbox.grants import Grants
from assay.sandbox.job import Job
from assay.tasks.payload import encode

PERFORM = "def perform(candidate, inputs): return {'y': candidate.load('algorithm.py').solve(inputs['ports'])}"
SOURCE = '''
import socket
def reaches(port):
    try:
        return socket.create_connection(("127.0.0.1", port), 5).recv(9).decode()
    except OSError as error:
        return type(error).__name__
def solve(ports):
    return [reaches(port) for port in ports]
'''
def greet(listener):
    listener.accept()[0].sendall(b"hello")
with Sandbox(preload=(), grants=Grants(loopback=True)) as sandbox:
    isolation, listener = sandbox.isolation, sandbox.listener
    ports = [int(sys.argv[1])]
    if listener:
        ports.append(listener.getsockname()[1])
        threading.Thread(target=greet, args=(listener,), daemon=True).start()
    result = sandbox.run(Job(PERFORM, {"algorithm.py": SOURCE}, encode({"ports": ports})))
    print(json.dumps([isolation.level, isolation.missing, result.outputs["y"]]))
"""


def loopback_in(restriction) -> list:
    """What a job reaches: a server of this machine, then the harness if it can be."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        done = subprocess.run(
            [sys.executable, "-c", LOOPBACK, str(other.getsockname()[1])],
            preexec_fn=restriction,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
    return json.loads(done.stdout)


@pytest.mark.usefixtures("user_namespaces")
def test_without_privileges_the_harness_is_reached_and_nothing_else():
    level, missing, reached = loopback_in(as_another_user)
    assert level == "full" and "loopback: granted" in missing
    assert reached == ["ConnectionRefusedError", "hello"]


@pytest.mark.skipif(not landlock.abi() or not seccomp.supported(), reason="needs Landlock and seccomp")
def test_without_namespaces_the_harness_is_not_reached_either():
    level, missing, reached = loopback_in(without_namespaces)
    assert level == "partial" and any(reason.startswith("loopback: without a network") for reason in missing)
    assert "loopback: granted" not in missing
    assert reached == ["PermissionError"]


def without_landlock() -> None:
    seccomp._DENIED["landlock_create_ruleset"] = (444, 444)
    without_namespaces()


def test_a_machine_that_gives_nothing_says_so_and_still_runs_candidates():
    isolation, results = run_in(without_landlock, [NORMAL, "while True: pass", NORMAL])
    assert isolation["level"] == "none"
    assert {reason.partition(":")[0] for reason in isolation["missing"]} >= {"namespaces", "landlock"}
    assert [kind for kind, _, _ in results] == ["ok", "timeout", "ok"]


def test_a_killed_harness_leaves_no_process():
    source = "import time\ntime.sleep(600)"
    with subprocess.Popen([sys.executable, "-c", HARNESS, json.dumps([source])], stdout=subprocess.PIPE) as harness:
        assert harness.stdout.readline()  # the server is there, and the job about to start
        family = descendants(harness.pid)
        assert len(family) >= 4, "server, zygote, warden and worker"
        watched = [os.pidfd_open(pid) for pid in family]
        os.kill(harness.pid, signal.SIGKILL)
        for fd in watched:
            assert ended(fd), "a process outlived the harness"
            os.close(fd)


def descendants(pid: int) -> list[int]:
    children = [int(c) for task in Path(f"/proc/{pid}/task").iterdir() for c in (task / "children").read_text().split()]
    return children + [below for child in children for below in descendants(child)]


def ended(pidfd: int) -> bool:
    """Wait for the end of a process that is not a child."""
    import select

    poll = select.poll()
    poll.register(pidfd, select.POLLIN)
    return bool(poll.poll(10_000))
