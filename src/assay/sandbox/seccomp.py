"""A system call filter: what a candidate has no use for answers "not permitted"."""

import ctypes
import errno
import struct
from typing import Literal

from assay.sandbox.kernel import LINUX, MACHINE, prctl

# name -> number on x86_64 and on aarch64; None where the call does not exist
_DENIED: dict[str, tuple[int | None, int | None]] = {
    # other processes' memory, descriptors and state
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "process_mrelease": (448, 448),
    "pidfd_getfd": (438, 438),
    "kcmp": (312, 272),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    # mounts and roots
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "statmount": (457, 457),
    "listmount": (458, 458),
    "open_by_handle_at": (304, 265),
    "name_to_handle_at": (303, 264),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    # namespaces; the flags of clone are looked at one by one
    "unshare": (272, 97),
    "setns": (308, 268),
    # large parts of the kernel that no candidate needs
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "fanotify_init": (300, 262),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "personality": (135, 92),
    "modify_ldt": (154, None),
    "iopl": (172, None),
    "ioperm": (173, None),
    # memory that belongs to no process, and so to no limit, and may outlive the job
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semget": (64, 190),
    "semctl": (66, 191),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    # the machine itself
    "reboot": (169, 142),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "syslog": (103, 116),
    "acct": (163, 89),
    "vhangup": (153, 58),
}
_LEAVING_THE_GROUP = {"setsid": (112, 157), "setpgid": (109, 154)}
_SOCKET = (41, 198)
_UNIX, _INET, _INET6, _NETLINK, _ROUTE = 1, 2, 10, 16, 0
_CLONE, _CLONE3 = (56, 220), (435, 435)
_NEW_NAMESPACE = 0x7E02_0000
_AUDIT_ARCH = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_X32_BIT = 0x4000_0000

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _ERRNO, _KILL = 0x7FFF_0000, 0x0005_0000, 0x8000_0000
_NUMBER_AT, _ARCH_AT, _FIRST_ARGUMENT_AT, _THIRD_ARGUMENT_AT = 0, 4, 16, 32
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2


Sockets = Literal["none", "local", "all"]
"""Which may be opened, other than pairs that are connected within the job: `local` are those that a network namespace
holds, which are not all."""


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def supported() -> bool:
    """Whether there is a filter for this machine and the kernel takes filters."""
    if not LINUX or MACHINE not in _AUDIT_ARCH:
        return False
    try:
        prctl(_PR_SET_SECCOMP, _MODE_FILTER, 0)
    except OSError as error:
        return error.errno == errno.EFAULT  # it looked at the (absent) program, so it knows filters
    return True


def program(keep_group: bool, sockets: Sockets = "none") -> bytes:
    """The filter as instructions. With `keep_group`, a process cannot leave its process group either."""
    column = 0 if MACHINE == "x86_64" else 1
    denied = {**_DENIED, **_LEAVING_THE_GROUP} if keep_group else _DENIED
    numbers = [row[column] for row in denied.values()]
    code = [
        _step(_LOAD, _ARCH_AT),
        _step(_EQUAL, _AUDIT_ARCH[MACHINE], 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER_AT),
        _step(_AT_LEAST, _X32_BIT, 0, 1),
        _step(_RETURN, _ERRNO | errno.ENOSYS),
        # its arguments lie in memory, where a filter cannot look; the C library falls back to clone
        _step(_EQUAL, _CLONE3[column], 0, 1),
        _step(_RETURN, _ERRNO | errno.ENOSYS),
    ]
    for number in (known for known in numbers if known is not None):
        code += [_step(_EQUAL, number, 0, 1), _step(_RETURN, _ERRNO | errno.EPERM)]
    code += _on_sockets(_SOCKET[column], sockets)
    code += [
        _step(_EQUAL, _CLONE[column], 0, 3),
        _step(_LOAD, _FIRST_ARGUMENT_AT),
        _step(_ANY_BIT, _NEW_NAMESPACE, 0, 1),
        _step(_RETURN, _ERRNO | errno.EPERM),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(code)


def enforce(code: bytes) -> None:
    """Filter this process and all it starts, for good."""
    filled = _Program(len(code) // 8, code)
    prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(filled))


def _on_sockets(number: int, permitted: Sockets) -> list[bytes]:
    """What happens to the system call that opens a socket; the number is loaded before it, and after it for others."""
    if permitted == "all":
        return []
    if permitted == "none":
        return [_step(_EQUAL, number, 0, 1), _step(_RETURN, _ERRNO | errno.EPERM)]
    judge = [
        _step(_LOAD, _FIRST_ARGUMENT_AT),
        *(_step(_EQUAL, family, 5 - place) for place, family in enumerate((_UNIX, _INET, _INET6))),
        _step(_EQUAL, _NETLINK, 0, 3),
        # programs look up their own addresses by this
        _step(_LOAD, _THIRD_ARGUMENT_AT),
        _step(_EQUAL, _ROUTE, 0, 1),
        _step(_RETURN, _ALLOW),
        _step(_RETURN, _ERRNO | errno.EPERM),
    ]
    return [_step(_EQUAL, number, 0, len(judge)), *judge]


def _step(operation: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("<HBBI", operation, if_true, if_false, value)
