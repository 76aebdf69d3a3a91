"""The perform.py of every original task folder: runs the script and returns what it left, or scores what one left.

Sent to the sandbox as text, where nothing of Assay can be imported. The two stages are two processes.
"""

import hashlib
import importlib.util
import os
import runpy
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

RUN = "__RUN__"


def perform(candidate: object, inputs: Mapping[str, Any]) -> dict[str, Any]:
    return _score(inputs) if isinstance(inputs.get("stage"), str) else _run(inputs)


def _run(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Inputs are files by path; so are outputs: all that the script made or changed. Links are not followed."""
    for path, data in inputs.items():
        _write(Path(path), data)
    before = {path: _digest(path) for path in _files()}
    sys.argv = [RUN]
    try:
        runpy.run_path(RUN, run_name="__main__")
    except SystemExit as end:
        if end.code not in (None, 0):
            raise RuntimeError(f"{RUN} ended with exit status {end.code}") from None
    except ModuleNotFoundError as error:
        said = f"{error}: a script has the packages of the Python that runs Assay, and no others"
        raise ModuleNotFoundError(said) from error
    left = [path for path in _files() if before.get(path) != _digest(path)]
    return {path: np.frombuffer(Path(path).read_bytes(), np.uint8) for path in left}


def _score(inputs: Mapping[str, Any]) -> dict[str, Any]:
    """What `get_score` says of the folder `submission`: the fresh workspace with what the script left laid over it."""
    root = Path.cwd() / "evaluation"
    fresh = {path: np.frombuffer(Path(path).read_bytes(), np.uint8) for path in _files()}
    fresh |= {path.removeprefix("env/"): data for path, data in inputs.items() if path.startswith("env/")}
    for path, data in fresh.items():
        _write(root / "env" / path, data)
        _write(root / "submission" / path, data)
    for path, data in inputs.items():
        if path.startswith(("scripts/", "submission/")):
            _write(root / path, data)
    # a file that the candidate calls pandas.py must not be what the evaluator imports
    sys.path[:] = [str(root / "scripts"), *(entry for entry in sys.path if entry not in ("", str(Path.cwd())))]
    os.chdir(root / "scripts")
    _be_silent()
    try:
        return {"score": float(_evaluator().get_score(str(root / "submission")))}
    except ModuleNotFoundError as error:
        return {"missing": str(error.name)}
    except Exception as error:
        return {"refused": f"{type(error).__name__}: {error}".replace(str(root), "")}


def _evaluator() -> Any:
    spec = importlib.util.spec_from_file_location("eval", "eval.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["eval"] = module
    spec.loader.exec_module(module)
    return module


def _be_silent() -> None:
    """What an evaluator prints may be answers, and a log is shown to agents."""
    sys.stdout.flush()
    sys.stderr.flush()
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def _write(file: Path, data: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data.tobytes())


def _files() -> list[str]:
    """Regular files below the working folder."""
    found = []
    for folder, _, names in os.walk("."):
        for name in names:
            file = Path(folder, name)
            if file.is_file() and not file.is_symlink() and "__pycache__" not in file.parts:
                found.append(file.as_posix())
    return sorted(found)


def _digest(path: str) -> bytes:
    return hashlib.sha256(Path(path).read_bytes()).digest()
