"""The perform.py of every task whose candidate is a script: lays its data out as files, runs it, returns what it left.

Sent to the sandbox as text, where nothing of Assay can be imported.
"""

import runpy
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

RUN, LEAVES = "__RUN__", ("__LEAVES__",)


def perform(candidate: object, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs and outputs are files by path, as arrays of bytes. A file that the script does not leave is not there."""
    for path, data in inputs.items():
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data.tobytes())
    sys.argv = [RUN]
    try:
        runpy.run_path(RUN, run_name="__main__")
    except SystemExit as end:
        if end.code not in (None, 0):
            raise RuntimeError(f"{RUN} ended with exit status {end.code}") from None
    left = [path for path in LEAVES if Path(path).is_file() and not Path(path).is_symlink()]
    return {path: np.frombuffer(Path(path).read_bytes(), np.uint8) for path in left}
