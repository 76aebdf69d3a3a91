"""One command of an experiment, inside the sandbox. Sent there as text: it imports nothing of Assay."""

import hashlib
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

KEPT = "results"


def perform(candidate: object, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Lay the files out, run the command as a process of its own, and return what it left in the results folder."""
    for number, path in enumerate(inputs["paths"]):
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(inputs[f"file{number}"].tobytes())
    Path(KEPT).mkdir(exist_ok=True)
    before = _digests()
    ended = subprocess.run([sys.executable, *inputs["arguments"]], stdin=subprocess.DEVNULL, check=False)
    changed = [path for path, digest in _digests().items() if before.get(path) != digest]
    files = {f"file{number}": np.frombuffer(Path(path).read_bytes(), np.uint8) for number, path in enumerate(changed)}
    return {"exit_code": ended.returncode, "paths": changed, **files}


def _digests() -> dict[str, str]:
    files = sorted(path for path in Path(KEPT).rglob("*") if path.is_file() and not path.is_symlink())
    return {path.as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}
