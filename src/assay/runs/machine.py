"""What a result depends on besides what was asked for: versions and the machine."""

import os
import platform
from importlib import metadata
from typing import Any

from assay import __version__

LIBRARIES = ("numpy", "scipy", "scikit-learn", "pydantic", "pydantic-ai-slim", "torch")


def versions() -> dict[str, str]:
    """Assay, Python and the libraries that can change a result; those that are not installed are left out."""
    found = {"assay": __version__, "python": platform.python_version()}
    for name in LIBRARIES:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, Any]:
    """Facts about the machine that explain times and roundings. Nothing that names its owner or its place."""
    return {
        "system": platform.system(),
        "kernel": platform.release(),
        "architecture": platform.machine(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gb": _memory_gb(),
    }


def _processor() -> str:
    try:
        with open("/proc/cpuinfo") as file:  # noqa: PTH123
            return next((line.split(":", 1)[1].strip() for line in file if line.startswith("model name")), "")
    except OSError:
        return platform.processor()


def _memory_gb() -> float | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
    except (ValueError, OSError):
        return None
