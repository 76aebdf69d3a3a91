"""What stands between candidates and the machine: set up once by the server, entered by every job.

Each layer is tried on this machine and used if it works; `describe` tells what is active and what is missing, and why.
"""

import os
import shutil
import socket
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from assay.sandbox import jail, kernel, landlock, namespaces, seccomp
from assay.sandbox.files import DEVICES, Readable, readable
from assay.sandbox.grants import NONE, Grants

_FIRST_UID = 1 << 30
_UIDS_PER_SERVER = 256
_OF_THE_SANDBOX = 64
"""More processes than a server, its zygote and the wardens and workers of concurrent jobs ever are."""
_COVERABLE = (Path("/sys"), Path("/mnt"), Path("/srv"))


@dataclass
class Confinement:
    """The layers that are active. Made by `prepare`."""

    files: Readable
    first_uid: int
    grants: Grants = NONE
    root: Path | None = None
    """Where the jail is mounted until the server moves into it."""
    own_pids: int | None = None
    """Where every job has a process space of its own: a descriptor of the server's."""
    switch_user: bool = False
    ruleset: landlock.Ruleset | None = None
    filter: bytes | None = None
    listener: socket.socket | None = None
    """Where the harness can be reached from inside, if that is granted. The server hands it over before it forks."""
    measures: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def pid_namespace(self) -> bool:
        return self.own_pids is not None

    @property
    def fellows(self) -> int | None:
        """How many processes besides a candidate's run as its user; None if that may be any number."""
        if self.switch_user:
            return 0
        return _OF_THE_SANDBOX if "user-namespace" in self.measures else None

    def describe(self) -> dict[str, Any]:
        """As the fields of `Isolation`."""
        own_identity = self.switch_user or "user-namespace" in self.measures
        files = self.root is not None or "landlock" in " ".join(self.measures)
        no_network = (self.filter is not None or "net-namespace" in self.measures) and not self.grants.network
        full = own_identity and files and no_network and self.pid_namespace and self.filter is not None
        level = "full" if full else "partial" if files else "none"
        granted = [f"{grant}: granted" for grant in self.grants.named]
        return {"level": level, "measures": self.measures, "missing": [*self.missing, *granted]}

    def settle(self) -> None:
        """Move the server, and the zygote with it, into the jail: from here on nothing else exists for them."""
        if self.root is not None:
            kernel.become_root_of_all(str(self.root))

    def fork(self) -> int:
        """Fork a warden: the first process of a process space of its own, which ends with it."""
        if self.own_pids is None:
            return os.fork()
        kernel.unshare(kernel.CLONE_NEWPID)
        pid = os.fork()
        if pid:
            kernel.setns(self.own_pids, kernel.CLONE_NEWPID)
        return pid

    def fork_into(self, pids: int | None) -> int:
        """Fork a worker into the process space of its warden."""
        if pids is None or self.own_pids is None:
            return os.fork()
        kernel.setns(pids, kernel.CLONE_NEWPID)
        pid = os.fork()
        if pid:
            kernel.setns(self.own_pids, kernel.CLONE_NEWPID)
        return pid

    def uid(self, serial: int) -> int | None:
        """A user no other job on this machine runs as now, so that its processes can be counted."""
        return self.first_uid + serial % _UIDS_PER_SERVER if self.switch_user else None

    def open_scratch(self, uid: int | None) -> Path:
        """In the warden: an empty folder for one job, the only place it can write."""
        if self.root is not None:
            kernel.unshare(kernel.CLONE_NEWNS)
            jail.open_scratch(uid)
            return jail.JOB
        folder = Path(tempfile.mkdtemp(prefix="assay-job-"))
        for name in ("work", "tmp", "shm"):
            (folder / name).mkdir(mode=0o700)
            if uid is not None:
                os.chown(folder / name, uid, uid)
        folder.chmod(0o755)
        return folder

    def size_scratch(self, megabytes: int) -> None:
        if self.root is not None:
            jail.size_scratch(megabytes)

    def close_scratch(self, folder: Path) -> None:
        if self.root is None:
            shutil.rmtree(folder, ignore_errors=True)

    def enter(self, uid: int | None, folder: Path) -> None:
        """In the worker: give up, for good, everything a candidate is not to have."""
        ruleset = self.ruleset
        # a /proc of its own is there only now
        if (self.root is None or self.grants.programs) and landlock.abi():
            ruleset = _ruleset(self.files, folder, self.grants)
        if kernel.LINUX:
            kernel.shed_privileges(uid)
        if ruleset is not None:
            ruleset.enforce()
        if self.filter is not None:
            seccomp.enforce(self.filter)


def prepare(hidden: Sequence[str], grants: Grants) -> Confinement:
    """Set up every layer this machine gives. In the server, before it forks anything."""
    made = Confinement(readable(hidden, grants), _FIRST_UID + os.getpid() * _UIDS_PER_SERVER, grants)
    if not kernel.LINUX:
        made.missing.append("isolation: this platform gives none that Assay uses; Linux does")
        made.measures.append("rlimits")
        return made
    spaces = namespaces.enter(grants.network)
    made.measures += spaces.measures
    made.missing += spaces.missing
    made.own_pids = spaces.pids
    if grants.loopback:
        _open_loopback(made)
    if spaces.entered:
        _build_jail(made)
    _choose_user(made)
    _choose_landlock(made)
    if seccomp.supported():
        made.filter = seccomp.program(not made.pid_namespace, _sockets(made.grants))
        made.measures.append("seccomp")
    else:
        made.missing.append(f"seccomp: not offered by this kernel on {kernel.MACHINE}")
    made.measures.append("rlimits")
    return made


def _open_loopback(made: Confinement) -> None:
    """A listening socket belongs to the namespace it was made in, whoever holds it and accepts from it."""
    own = "net-namespace" in made.measures
    if not own and not made.grants.network:
        made.grants = replace(made.grants, loopback=False)
        made.missing.append("loopback: without a network namespace of its own it would be the whole machine's")
        return
    if own:
        kernel.raise_loopback()
    made.listener = socket.create_server(("127.0.0.1", 0))


def _sockets(grants: Grants) -> seccomp.Sockets:
    return "all" if grants.network else "local" if grants.loopback else "none"


def _build_jail(made: Confinement) -> None:
    # covered in this namespace alone, and nothing of Python lies there
    root = next(place for place in _COVERABLE if place.is_dir())
    try:
        jail.build(root, made.files, made.grants.programs)
    except OSError as error:
        made.missing.append(f"mount-namespace: {error.strerror}")
        return
    made.root = root
    made.measures.append("mount-namespace")


def _choose_user(made: Confinement) -> None:
    if os.geteuid() != 0:
        if "user-namespace" not in made.measures:
            made.missing.append("unprivileged-user: the harness is not root, candidates run as the same user")
        return
    if "user-namespace" in made.measures:
        made.missing.append("unprivileged-user: root may not change users here")
        return
    if not namespaces.succeeds(partial(_read_python_as_another, made.root)):
        made.missing.append("unprivileged-user: another user cannot be taken on, or may not read this Python's files")
        return
    made.switch_user = True
    made.measures.append("unprivileged-user")


def _read_python_as_another(root: Path | None) -> None:
    if root is not None:
        os.chroot(root)
    kernel.shed_privileges(_FIRST_UID)
    Path(os.__file__).read_bytes()


def _choose_landlock(made: Confinement) -> None:
    version = landlock.abi()
    if not version:
        made.missing.append("landlock: not offered by this kernel")
        return
    if made.root is not None:
        made.ruleset = _ruleset(made.files, made.root / "box", made.grants)
    made.measures.append(f"landlock-{version}")


def _ruleset(files: Readable, writable: Path, grants: Grants) -> landlock.Ruleset:
    rules = landlock.Ruleset(grants.network or grants.loopback)
    rules.allow(files.leaves(), landlock.READ)
    rules.allow((root for root in files.roots if root.is_dir()), landlock.LIST)
    rules.allow(DEVICES, landlock.DEVICE)
    if grants.programs:
        rules.allow([Path("/proc")], landlock.READ | landlock.DEVICE)
    rules.allow([writable], rules.all_rights)
    return rules
