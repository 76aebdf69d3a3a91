"""How many processes a job has and how much memory they use together."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

from assay.sandbox import kernel

_PAGE = os.sysconf("SC_PAGE_SIZE")


class Processes:
    """The processes of one job, seen from its warden through a view of /proc that the candidate does not have."""

    def __init__(self, mount_point: Path | None) -> None:
        """With a mount point, for a process space of its own: its /proc is mounted there for a moment."""
        self.worker = 0
        self.peak_bytes = 0
        self._own_space = mount_point is not None
        self._proc = _mounted_apart(str(mount_point)) if mount_point else _opened("/proc")
        self._inherited = 0

    def open(self, path: str) -> int:
        """A descriptor for something below /proc."""
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC, dir_fd=self._proc)

    def begin(self, worker: int) -> None:
        """From here on, what the worker has now is not counted."""
        self.worker = worker
        self._inherited = self._resident(worker)

    def measure(self, suspicious: int) -> tuple[int, int]:
        """Number of processes, and bytes they use beyond what the worker inherited.

        Resident sizes count shared pages once per process; only if their sum passes `suspicious` is the exact,
        slower figure taken.
        """
        pids = list(self._members())
        resident = sum(self._resident(pid) for pid in pids)
        self.peak_bytes = max(self.peak_bytes, resident)
        used = max(0, resident - self._inherited)
        if used > suspicious:
            used = max(0, sum(self._proportional(pid) for pid in pids) - self._inherited)
        return len(pids), used

    def _members(self) -> Iterator[int]:
        if self._proc < 0:
            return
        for name in os.listdir(self._proc):  # noqa: PTH208, the folder is a descriptor
            if name.isdecimal() and name != "1" and (self._own_space or self._group(name) == self.worker):
                yield int(name)

    def _group(self, pid: str) -> int:
        stat = self._read(f"{pid}/stat")
        return int(stat.rpartition(b")")[2].split()[2]) if stat else -1

    def _resident(self, pid: int) -> int:
        fields = self._read(f"{pid}/statm").split()
        return int(fields[1]) * _PAGE if fields else 0

    def _proportional(self, pid: int) -> int:
        for line in self._read(f"{pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) * 1024
        return 0

    def _read(self, path: str) -> bytes:
        """Empty if the process is gone meanwhile."""
        with contextlib.suppress(OSError), os.fdopen(self.open(path), "rb") as file:
            return file.read()
        return b""


def folder_bytes(folder: Path) -> int:
    """Disk space of all files below; files that vanish meanwhile do not count."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += (Path(place) / name).lstat().st_blocks * 512
    return total


def _opened(path: str) -> int:
    return os.open(path, os.O_RDONLY | os.O_CLOEXEC) if Path(path).is_dir() else -1


def _mounted_apart(place: str) -> int:
    """A /proc of this process space, reachable through the descriptor alone."""
    kernel.mount("proc", place, "proc", kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC)
    fd = _opened(place)
    kernel.unmount(place)
    return fd
