"""What a person permits beyond the usual: for the program of an agent, and never for a candidate's evaluation."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_PROGRAMS = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/opt")
_SETTINGS = (
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/group",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/pki",
    "/etc/protocols",
    "/etc/resolv.conf",
    "/etc/services",
    "/etc/ssl",
)


@dataclass(frozen=True)
class Grants:
    """Permissions, as plain data: they travel to the sandbox's server, which does without pydantic."""

    programs: bool = False
    """May start the programs that are installed on this machine; sees its own processes; address space has no limit."""
    network: bool = False
    """May reach whatever this machine reaches."""
    readable: tuple[str, ...] = ()
    """Further files and folders that may be read."""
    loopback: bool = False
    """May use sockets, which reach other jobs of the same sandbox, and the harness where it serves on
    `Sandbox.listener`, and nothing else. Kept to where there is a network namespace."""

    @classmethod
    def of(cls, told: dict[str, Any]) -> "Grants":
        """From JSON, which has lists where these are tuples."""
        return cls(told["programs"], told["network"], tuple(told["readable"]), told["loopback"])

    def roots(self) -> Iterator[Path]:
        """What is readable because of them; what does not exist is left out by whoever asks."""
        if self.programs:
            yield from map(Path, (*_PROGRAMS, *_SETTINGS))
        yield from map(Path, self.readable)

    @property
    def named(self) -> list[str]:
        """Each grant in a few words, for the record."""
        words = ["programs"] if self.programs else []
        words += ["network"] if self.network else []
        words += ["loopback"] if self.loopback else []
        return words + [f"read {path}" for path in self.readable]


NONE = Grants()
