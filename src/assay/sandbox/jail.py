"""A root file system of its own: the readable files, read-only, and one place to write. Needs a mount namespace."""

import os
from collections.abc import Iterable
from pathlib import Path

from assay.sandbox.files import DEVICES, Readable
from assay.sandbox.kernel import (
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_RDONLY,
    MS_REC,
    MS_REMOUNT,
    mount,
)

BOX = Path("/box")
PROC = Path("/proc")
JOB = BOX / "job"
"""Each job mounts an empty file system here, in a mount namespace of its own: all it wrote is gone when the job is."""

_LINKS = {"/tmp": "box/job/tmp", "/dev/shm": "../box/job/shm"}
_LINKS_OF_PROGRAMS = {"/dev/fd": "/proc/self/fd", "/dev/stdin": "fd/0", "/dev/stdout": "fd/1", "/dev/stderr": "fd/2"}


def build(root: Path, readable: Readable, programs: bool) -> None:
    """Assemble the file system on `root`, an existing folder, in the calling process's own mount namespace."""
    mount("assay", str(root), "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=4m")
    inside = _Inside(root)
    for path in readable.roots:
        inside.show(path)
    for path in DEVICES:
        _bind(path, inside.place(path))
    # for the wardens, which take it away before they let a worker in
    mount("/proc", str(inside.folder(PROC)), "", MS_BIND | MS_REC)
    for path in readable.hidden:
        inside.hide(path)
    for link, target in {**_LINKS, **(_LINKS_OF_PROGRAMS if programs else {})}.items():
        # where Python itself lives below /tmp, that folder is there already; TMPDIR then shows the place to write
        if not (root / link[1:]).exists():
            (root / link[1:]).symlink_to(target)
    inside.folder(JOB)
    mount("none", str(root), "", MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)


def open_scratch(uid: int | None) -> None:
    """In a job's own mount namespace: an empty place to write, small until the job's limit is known."""
    mount("assay", str(JOB), "tmpfs", MS_NOSUID | MS_NODEV, "mode=755,size=1m")
    for name in ("work", "tmp", "shm"):
        (JOB / name).mkdir(mode=0o700)
        if uid is not None:
            os.chown(JOB / name, uid, uid)


def keep(paths: Iterable[Path]) -> None:
    """In a job's own mount namespace: these files can be neither written nor moved nor removed, whoever owns them."""
    paths = list(paths)
    # a folder could be moved away with the files in it, and another put in its place, were it not mounted itself
    for folder in sorted({folder for path in paths for folder in path.parents if folder.is_relative_to(JOB / "work")}):
        _bind(folder, folder)
    for path in paths:
        _bind(path, path)
        mount("none", str(path), "", MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV)


def show_processes() -> None:
    """In a job's own mount namespace and process space: a /proc with the job's own processes in it."""
    mount("proc", str(PROC), "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "hidepid=2")


def size_scratch(megabytes: int) -> None:
    """Space and files are limited by the file system itself."""
    mount(
        "none",
        str(JOB),
        "tmpfs",
        MS_REMOUNT | MS_NOSUID | MS_NODEV,
        f"size={megabytes}m,nr_inodes={16 * megabytes + 1024}",
    )


class _Inside:
    """The jail as it is built: the same paths as outside, below `root`."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._void = root / ".void"
        self._void.mkdir(mode=0o000)
        self._blank = root / ".blank"
        self._blank.touch(mode=0o000)

    def show(self, path: Path) -> None:
        target = self.place(path)
        if target.is_symlink():
            self.show(path.parent / path.readlink())
            return
        _bind(path, target)
        _restrict(target)

    def hide(self, path: Path) -> None:
        target = self._root / str(path)[1:]
        if target.exists():
            _bind(self._void if target.is_dir() else self._blank, target)

    def folder(self, path: Path) -> Path:
        """Make it and all above it, links as links, so that every path leads where it leads outside."""
        target = self._root / str(path)[1:]
        if path == Path("/") or target.is_symlink() or target.is_dir():
            return target
        if path.is_symlink():
            self.folder(path.parent)
            target.symlink_to(path.readlink())
            self.folder(Path(os.path.normpath(path.parent / path.readlink())))
            return target
        self.folder(path.parent)
        real = self._root / str(path.parent.resolve())[1:] / path.name
        real.mkdir(mode=0o755, exist_ok=True)
        return real

    def place(self, path: Path) -> Path:
        """Something to mount on: an empty folder or file, or the link itself."""
        if path.is_dir() and not path.is_symlink():
            return self.folder(path)
        self.folder(path.parent)
        real = self._root / str(path.parent.resolve())[1:] / path.name
        if path.is_symlink() and not real.is_symlink():
            real.symlink_to(path.readlink())
        elif not real.exists():
            real.touch()
        return real


def _bind(source: Path, target: Path) -> None:
    mount(str(source), str(target), "", MS_BIND)


def _restrict(target: Path) -> None:
    """Read-only, with the restrictions that the original has: taking one off is not permitted in a user namespace."""
    kept = os.statvfs(target).f_flag & (MS_NOSUID | MS_NODEV | MS_NOEXEC)
    mount("none", str(target), "", MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV | kept)
