"""Candidates that try to leave: by privilege, by signal, by mount, by namespace."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assay.sandbox import kernel

pytestmark = pytest.mark.usefixtures("needs_full")

CALL = """
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(number, *arguments):
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return -ctypes.get_errno() if libc.syscall(ctypes.c_long(number), *wide) < 0 else 1
"""


def test_it_is_an_unprivileged_user_without_capabilities(run, sandbox):
    source = """
        import ctypes, os
        def solve(x):
            libc = ctypes.CDLL(None, use_errno=True)
            header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
            assert libc.capget(header, data) == 0
            bounding = [c for c in range(41) if libc.prctl(23, c, 0, 0, 0) == 1]
            return [os.getresuid(), os.getresgid(), os.getgroups(), list(data), bounding, libc.prctl(39, 0, 0, 0, 0)]
        """
    uids, gids, groups, capabilities, bounding, no_new_privileges = run(source).outputs["y"]
    assert capabilities == [0] * 6 and bounding == [] and no_new_privileges == 1
    if "unprivileged-user" in sandbox.isolation.measures:
        assert min(uids + gids) >= 1 << 30 and groups == []


def test_privileges_do_not_come_back(run):
    source = """
        import os
        def solve(x):
            tried = []
            for action in (lambda: os.setuid(0), lambda: os.setgid(0), lambda: os.setgroups([0]),
                           lambda: os.chroot("."), lambda: os.nice(-5),
                           lambda: os.mknod("dev", 0o600 | 0o060000, os.makedev(8, 0)),
                           lambda: os.chown("algorithm.py", 0, 0)):
                try:
                    action(); tried.append("done")
                except PermissionError:
                    tried.append("refused")
            return tried
        """
    assert run(source).outputs == {"y": ["refused"] * 7}


@pytest.mark.parametrize(
    "name",
    ["mount", "umount2", "unshare", "ptrace", "bpf", "io_uring_setup", "shmget", "msgget", "memfd_create", "keyctl"],
)
def test_system_calls_that_a_candidate_has_no_use_for(run, name):
    from assay.sandbox import seccomp

    number = seccomp._DENIED[name][0 if kernel.MACHINE == "x86_64" else 1]
    result = run(f"{CALL}\ndef solve(x):\n    return call({number}, 0, 0, 0, 0, 0)")
    assert result.outputs == {"y": -1}, f"{name} is not refused with EPERM"


@pytest.mark.parametrize("flag", ["CLONE_NEWUSER", "CLONE_NEWNS", "CLONE_NEWNET", "CLONE_NEWPID"])
def test_no_namespace_of_its_own(run, flag):
    clone = 56 if kernel.MACHINE == "x86_64" else 220
    flags = getattr(kernel, flag)
    assert run(f"{CALL}\ndef solve(x):\n    return call({clone}, {flags} | 17, 0, 0, 0, 0)").outputs == {"y": -1}
    assert run(f"{CALL}\ndef solve(x):\n    return call(435, 0, 0)").outputs == {"y": -38}, "clone3 is to look absent"


def test_a_remount_fails(run):
    source = """
        import ctypes, errno
        def solve(x):
            libc = ctypes.CDLL(None, use_errno=True)
            done = [libc.mount(b"none", b"/", b"", flags, b"") for flags in (32 | 4096, 4096, 1 << 18)]
            return [done, ctypes.get_errno()]
        """
    assert run(source).outputs == {"y": [[-1, -1, -1], 1]}


@pytest.mark.parametrize("place", ["/", "/usr/lib", "/box", "/dev", "{site}", "{stdlib}"])
def test_it_writes_nowhere_but_in_its_scratch(run, place):
    place = place.format(site=Path(pytest.__file__).parent.parent, stdlib=Path(os.__file__).parent)
    source = f"""
        import os
        def solve(x):
            try:
                open(os.path.join({place!r}, "written"), "w")
            except OSError as error:
                return type(error).__name__
        """
    assert run(source).outputs["y"] in ("PermissionError", "OSError", "FileNotFoundError")


def test_no_signal_to_an_outsider(run):
    """It sees no process but its own: the outsider's number means nothing in its process space."""
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as outsider:
        source = f"""
            import os
            def solve(x):
                answers = []
                for pid in ({outsider.pid}, {os.getpid()}, os.getppid() or 1, 1):
                    try:
                        os.kill(pid, 9); answers.append("sent")
                    except OSError as error:
                        answers.append(type(error).__name__)
                return answers
            """
        answers = run(source).outputs["y"]
        assert answers[:2] == ["ProcessLookupError"] * 2
        assert set(answers) <= {"ProcessLookupError", "PermissionError"}
        assert outsider.poll() is None
        outsider.communicate(b"\n")


def test_a_signal_to_everyone_reaches_only_itself(run):
    result = run("import os, signal\nos.kill(-1, signal.SIGTERM)\ndef solve(x): return 1")
    assert result.kind in ("ok", "crashed")


def test_no_descriptor_but_its_own(run):
    source = """
        import fcntl, os
        def solve(x):
            held = []
            for fd in range(256):
                try:
                    fcntl.fcntl(fd, fcntl.F_GETFD); held.append(fd)
                except OSError:
                    pass
            return held
        """
    assert run(source).outputs == {"y": [0, 1, 2, 3]}
