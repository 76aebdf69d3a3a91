"""The candidate's turn: calls `perform` and answers through one pipe.

Everything here may be overturned by the candidate, which shares this process. So nothing here is trusted by the warden.
"""

import importlib.util
import json
import linecache
import os
import random
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from assay.sandbox.worker import FAILED, OK, OUTPUT_FD
from assay.tasks.payload import PayloadError, decode, encode

_PERFORM = "perform.py"
_forgotten: list[ModuleType] = []
_OWN = str(Path(__file__).parent.parent) + os.sep


class CandidateFiles:
    """The handle that `perform` gets: the candidate's files, importable."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, path: str) -> ModuleType:
        """Import a file of the workspace, once. Raises whatever the file raises."""
        name = path.removesuffix(".py").replace("/", ".")
        loaded = sys.modules.get(name)
        if loaded is not None and getattr(loaded, "__file__", None) == str(self._folder / path):
            return loaded
        spec = importlib.util.spec_from_file_location(name, self._folder / path)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module


def run(perform_source: str, inputs: bytearray, folder: Path) -> None:
    """Perform the job in `folder` and write the answer to OUTPUT_FD."""
    try:
        _settle_in(folder)
        outputs = _perform(perform_source, inputs, folder)
        _answer(OK, encode(outputs))
    except PayloadError as error:
        _fail("invalid_output", str(error))
    except BaseException as error:
        _print_traceback(error)
        kind = "out_of_memory" if isinstance(error, MemoryError) else "crashed"
        _fail(kind, _last_line(error))
    sys.stdout.flush()
    sys.stderr.flush()


def forget_the_harness() -> None:
    """Leave the interpreter as a new one would be, but for what it imported. Once, in the zygote."""
    own = [name for name in sys.modules if name == "assay" or name.startswith("assay.")]
    # kept alive out of sight: to take them apart would touch, and so copy, thousands of shared pages
    _forgotten.extend(sys.modules.pop(name) for name in own)
    # multiprocessing and joblib import the main module again in their children
    _forgotten.append(sys.modules["__main__"])
    sys.modules["__main__"] = ModuleType("__main__")
    sys.argv = [_PERFORM]


def _settle_in(folder: Path) -> None:
    """The candidate's files can be imported, and chance is the same every time."""
    sys.path.insert(0, str(folder))
    random.seed(0)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(0)


def _perform(source: str, inputs: bytearray, folder: Path) -> Mapping[str, Any]:
    module = ModuleType("perform")
    module.__file__ = _PERFORM
    sys.modules["perform"] = module
    # so that a traceback can show the lines of a file that is not on disk
    linecache.cache[_PERFORM] = (len(source), None, source.splitlines(keepends=True), _PERFORM)
    exec(compile(source, _PERFORM, "exec"), module.__dict__)
    decoded = decode(bytes(inputs))
    inputs.clear()
    result: Mapping[str, Any] = module.perform(CandidateFiles(folder), decoded)
    return result


def _answer(tag: bytes, body: bytes) -> None:
    with open(OUTPUT_FD, "wb", closefd=False) as pipe:
        pipe.write(tag)
        pipe.write(body)


def _fail(kind: str, message: str) -> None:
    _answer(FAILED, json.dumps({"kind": kind, "message": message}).encode())


def _print_traceback(error: BaseException) -> None:
    """Python's own traceback without the frames of the harness, which tell an agent nothing."""
    try:
        shown = traceback.TracebackException(type(error), error, error.__traceback__, compact=True)
        _leave_out_own(shown)
        print("".join(shown.format()), file=sys.stderr, end="", flush=True)
    except BaseException:
        # an exception whose own text raises: its type has to do
        print(type(error).__name__, file=sys.stderr, flush=True)


def _leave_out_own(shown: traceback.TracebackException | None) -> None:
    if shown is None:
        return
    others = [frame for frame in shown.stack if not frame.filename.startswith((_OWN, "<frozen importlib"))]
    shown.stack = traceback.StackSummary.from_list(others)
    _leave_out_own(shown.__cause__)
    _leave_out_own(shown.__context__)


def _last_line(error: BaseException) -> str:
    try:
        lines = traceback.format_exception_only(type(error), error)[-1].strip()
        return lines[:500]
    except BaseException:
        return type(error).__name__
