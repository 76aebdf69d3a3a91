"""The few system calls the sandbox needs and Python does not offer. Every failure is an OSError. Linux alone."""

import ctypes
import os
import socket
import struct
import sys

CLONE_NEWNS = 0x0002_0000
CLONE_NEWUTS = 0x0400_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_REC, MS_PRIVATE = 32, 4096, 16384, 1 << 18
MNT_DETACH = 2

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_CAPBSET_DROP, _PR_SET_SECUREBITS, _PR_SET_NO_NEW_PRIVS = 1, 4, 24, 28, 38
# root is an ordinary user, capabilities are neither kept nor made ambient, and none of this can be undone
_SECUREBITS = 0x01 | 0x02 | 0x20 | 0x40 | 0x80
_CAPABILITY_VERSION = 0x2008_0522
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1
_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}

LINUX = sys.platform == "linux"
MACHINE = os.uname().machine
_libc = ctypes.CDLL(None, use_errno=True)


def _checked(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: int | ctypes.c_void_p | None) -> int:
    """A system call by number; integers are passed in full width."""
    wide = [ctypes.c_long(item) if isinstance(item, int) else item for item in arguments]
    return _checked(_libc.syscall(ctypes.c_long(number), *wide), f"system call {number}")


def prctl(option: int, *arguments: int) -> int:
    wide = [ctypes.c_ulong(item) for item in (*arguments, 0, 0, 0, 0)[:4]]
    return _checked(_libc.prctl(option, *wide), f"prctl {option}")


def unshare(flags: int) -> None:
    _checked(_libc.unshare(flags), "unshare")


def setns(fd: int, kind: int) -> None:
    _checked(_libc.setns(fd, kind), "setns")


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    encoded = [text.encode() for text in (source, target, kind)]
    _checked(_libc.mount(*encoded, ctypes.c_ulong(flags), options.encode()), f"mount on {target}")


def unmount(target: str) -> None:
    """Take it out of the tree now, whoever still uses it."""
    _checked(_libc.umount2(target.encode(), MNT_DETACH), f"unmount {target}")


def become_root_of_all(folder: str) -> None:
    """Make a mounted folder the root of this mount namespace and forget the old root."""
    os.chdir(folder)
    here = ctypes.c_char_p(b".")
    _checked(_libc.syscall(ctypes.c_long(_PIVOT_ROOT[MACHINE]), here, here), f"pivot_root {folder}")
    unmount(".")
    os.chdir("/")


def raise_loopback() -> None:
    """Bring up the loopback interface of this network namespace, which a new one has and does not use."""
    # late: Linux alone has all that is used here, and this module is imported everywhere
    from fcntl import ioctl

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sH22x", b"lo", _IFF_UP))


def die_with_parent() -> None:
    prctl(_PR_SET_PDEATHSIG, 9)


def shed_privileges(uid: int | None) -> None:
    """Become `uid`, if given, and lose every capability for good, also for programs started later."""
    for capability in range(64):
        try:
            prctl(_PR_CAPBSET_DROP, capability)
        except OSError:
            break  # past the last one this kernel knows, or without the right to drop: then none is held either
    try:
        prctl(_PR_SET_SECUREBITS, _SECUREBITS)
    except PermissionError:
        if uid is not None:
            raise
    if uid is not None:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION, 0)
    nothing = (ctypes.c_uint32 * 6)()
    _checked(_libc.capset(header, nothing), "capset")
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    prctl(_PR_SET_DUMPABLE, 0)
