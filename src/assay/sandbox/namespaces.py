"""Namespaces of the server: its own network, mounts, IPC, host name and, where possible, process space."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from assay.sandbox import kernel

_ALWAYS = kernel.CLONE_NEWNS | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS


@dataclass(frozen=True)
class Namespaces:
    """What was entered."""

    entered: bool
    measures: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    pids: int | None = None
    """A descriptor of the process space, if the server has one of its own: then its jobs can have theirs, too."""


def enter(network: bool) -> Namespaces:
    """Enter all that this machine permits, if need be by way of a user namespace. Call it before anything is forked.

    With `network`, that of the machine stays.
    With a process space of its own this returns in a new process, its first: the old one only waits for it, and when
    either of them is killed, so is everything below.
    """
    kinds = _ALWAYS if network else _ALWAYS | kernel.CLONE_NEWNET
    for as_user in (False, True):
        if not succeeds(partial(_unshare, as_user, kinds)):
            continue
        own_pids = succeeds(partial(_try_process_space, as_user))
        _unshare(as_user, kinds | (kernel.CLONE_NEWPID if own_pids else 0))
        kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
        names = ("ipc-namespace", "uts-namespace") if network else ("net-namespace", "ipc-namespace", "uts-namespace")
        measures = ("user-namespace", *names) if as_user else names
        if not own_pids:
            return Namespaces(True, measures, ("pid-namespace: its /proc cannot be mounted",))
        _go_on_as_first_process()
        return Namespaces(
            True, (*measures, "pid-namespace"), (), os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        )
    return Namespaces(False, (), ("namespaces: neither the user nor this machine permits them",))


def succeeds(action: Callable[[], None]) -> bool:
    """Whether it raises nothing, tried in a process of its own."""
    pid = os.fork()
    if pid == 0:
        status = 1
        try:
            action()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(pid, 0)[1] == 0


def _unshare(as_user: bool, kinds: int) -> None:
    if as_user:
        uid, gid = os.geteuid(), os.getegid()
        kernel.unshare(kernel.CLONE_NEWUSER)
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
        Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
    kernel.unshare(kinds)


def _try_process_space(as_user: bool) -> None:
    """It is of use only with a /proc of its own, which some containers do not permit."""
    _unshare(as_user, kernel.CLONE_NEWNS | kernel.CLONE_NEWPID)
    if not succeeds(_mount_own_proc):
        raise PermissionError


def _mount_own_proc() -> None:
    kernel.mount("none", "/", "", kernel.MS_REC | kernel.MS_PRIVATE)
    kernel.mount("proc", "/proc", "proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)


def _go_on_as_first_process() -> None:
    pid = os.fork()
    if pid:
        # all that is left to do here is to stand for the server: hold nothing that would outlive it
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        os._exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 0xFF)
    kernel.die_with_parent()
    _mount_own_proc()
