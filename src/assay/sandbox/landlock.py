"""Landlock: files by allow-list, no TCP, no signals or abstract sockets across the border. ABI 1 and later."""

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from assay.sandbox.kernel import LINUX, syscall

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_CREATE_RULESET_VERSION = 1
_RULE_PATH_BENEATH = 1

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_FILE_RIGHTS_SINCE = {1: 13, 2: 14, 3: 15, 5: 16}
"""How many rights on files exist from which ABI on; the ABIs between add none."""
_ALL_TCP = 0b11
_ALL_SCOPES = 0b11

READ = _EXECUTE | _READ_FILE | _READ_DIR
LIST = _READ_DIR
DEVICE = _READ_FILE | _WRITE_FILE
_ON_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | (1 << 14) | (1 << 15)


class _RulesetAttributes(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def abi() -> int:
    """The version this kernel speaks; 0 where there is no Landlock."""
    if not LINUX:
        return 0
    try:
        return syscall(_CREATE_RULESET, None, 0, _CREATE_RULESET_VERSION)
    except OSError:
        return 0


class Ruleset:
    """An allow-list under construction: everything not allowed is denied once `enforce` ran."""

    def __init__(self, connects: bool = False) -> None:
        """With `connects`, TCP is not its business."""
        version = abi()
        self.all_rights = (1 << max(count for since, count in _FILE_RIGHTS_SINCE.items() if since <= version)) - 1
        attributes = _RulesetAttributes(
            self.all_rights, _ALL_TCP if version >= 4 and not connects else 0, _ALL_SCOPES if version >= 6 else 0
        )
        # older kernels know a shorter structure and refuse a longer one unless its rest is zero, which it is
        size = ctypes.sizeof(attributes)
        self.fd = syscall(_CREATE_RULESET, ctypes.cast(ctypes.byref(attributes), ctypes.c_void_p), size, 0)

    def allow(self, paths: Iterable[Path], rights: int) -> None:
        """Grant rights on each path and all that is below it. A path that does not exist is left out."""
        for path in paths:
            try:
                parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            kept = rights & self.all_rights & (-1 if path.is_dir() else _ON_A_FILE)
            rule = _PathBeneath(kept, parent)
            syscall(_ADD_RULE, self.fd, _RULE_PATH_BENEATH, ctypes.cast(ctypes.byref(rule), ctypes.c_void_p), 0)
            os.close(parent)

    def enforce(self) -> None:
        """Restrict this process and all it starts, for good. It must have no way to gain privileges."""
        syscall(_RESTRICT_SELF, self.fd, 0)
