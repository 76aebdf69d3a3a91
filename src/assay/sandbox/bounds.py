"""What one job may use, as the server's processes know it and as the kernel enforces it on the worker."""

import math
import os
import resource
from dataclasses import dataclass

_OPEN_FILES = 256
_STACK_BYTES = 16 << 20


@dataclass(frozen=True)
class Bounds:
    """A task's limits as plain data: the server's processes, forked for every job, do without pydantic."""

    seconds: float
    memory_mb: int
    processes: int
    scratch_mb: int
    output_mb: int

    @property
    def memory_bytes(self) -> int:
        return self.memory_mb << 20

    @property
    def scratch_bytes(self) -> int:
        return self.scratch_mb << 20

    @property
    def output_bytes(self) -> int:
        return self.output_mb << 20

    def enforce(self, inherited: int | None, fellows: int | None) -> None:
        """In the worker, for good. `inherited` bytes of address space are not counted; if None, space has no limit.

        The kernel counts processes by user: `fellows` is how many of that user are not the candidate's; if None, there
        is no telling, and the warden's own count has to do.
        """
        cpu = math.ceil(self.seconds * (os.cpu_count() or 1)) + 1
        _lower(resource.RLIMIT_CPU, cpu, cpu + 1)
        _lower(resource.RLIMIT_FSIZE, self.scratch_bytes)
        _lower(resource.RLIMIT_NOFILE, _OPEN_FILES)
        _lower(resource.RLIMIT_STACK, _STACK_BYTES)
        _lower(resource.RLIMIT_CORE, 1)  # unlike 0, this also stops dumps that a machine pipes to a program
        if fellows is not None:
            _lower(resource.RLIMIT_NPROC, self.processes + fellows)
        if inherited is not None:
            _lower(resource.RLIMIT_AS, inherited + self.memory_bytes)


def _lower(name: int, soft: int, hard: int | None = None) -> None:
    """Set a limit, or leave the present one where that is lower."""
    hard = soft if hard is None else hard
    _, ceiling = resource.getrlimit(name)
    if ceiling != resource.RLIM_INFINITY:
        soft, hard = min(soft, ceiling), min(hard, ceiling)
    resource.setrlimit(name, (soft, hard))
