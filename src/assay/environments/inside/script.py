"""One script, or one line of Python, run in the workspace inside the sandbox: what it printed and what it changed."""

import ast
import atexit
import contextlib
import hashlib
import io
import os
import pickle
import runpy
import selectors
import signal
import sys
import threading
import time
import traceback
import types
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

STATE = ".repl"
MOST_FILES = 2000
LARGEST = 48 << 20
HEAD, TAIL = 10_000, 10_000
TICK_SECONDS, DRAIN_SECONDS = 0.005, 0.5
DEFINING = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def perform(candidate: object, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Lay the writable files out, run, and return what changed. The read-only files are there already."""
    for number, path in enumerate(inputs["paths"]):
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(inputs[f"file{number}"].tobytes())
    before = _digests(set(inputs["kept"]))
    run: Callable[[], None] = (
        (lambda: _script(inputs["script"])) if inputs["script"] else (lambda: _line(inputs["line"]))
    )
    ended = _watched(run, inputs["seconds"])
    after = _digests(set(inputs["kept"]))
    changed = [path for path, digest in after.items() if before.get(path) != digest]
    kept, left_out = _within_bounds(changed)
    files = {f"file{number}": np.frombuffer(data, np.uint8) for number, data in enumerate(kept.values())}
    gone = [path for path in before if path not in after]
    return {**ended, "paths": list(kept), "left_out": left_out, "gone": gone, **files}


def _script(path: str) -> None:
    sys.argv = [path]
    sys.path.insert(0, str(Path(path).parent))
    runpy.run_path(path, run_name="__main__")


def _line(source: str) -> None:
    """As at Python's prompt. What was imported and defined lives on to the next line, and what can be pickled; in here
    and nowhere else."""
    module = types.ModuleType("__main__")
    sys.modules["__main__"], scope = module, module.__dict__
    values, defined = _recalled(scope)
    try:
        tree = ast.parse(source)
        exec(compile(ast.Interactive(tree.body), "<repl>", "single"), scope)
        defined += [ast.unparse(node) for node in tree.body if isinstance(node, DEFINING)]
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
    for name, value in scope.items():
        if not name.startswith("__"):
            with contextlib.suppress(Exception):
                values[name] = pickle.dumps(value)
    Path(STATE).write_bytes(pickle.dumps((values, defined)))


def _recalled(scope: dict[str, Any]) -> tuple[dict[str, bytes], list[str]]:
    """Bring back into the scope what earlier lines left."""
    values: dict[str, bytes] = {}
    defined: list[str] = []
    with contextlib.suppress(Exception):
        values, defined = pickle.loads(Path(STATE).read_bytes())
    # once before and once after: a definition may need a value, and a value its class
    _unpickle(values, scope)
    for statement in defined:
        with contextlib.suppress(Exception):
            exec(compile(statement, "<repl>", "exec"), scope)
    _unpickle(values, scope)
    return {}, defined


def _unpickle(values: Mapping[str, bytes], scope: dict[str, Any]) -> None:
    for name, data in values.items():
        with contextlib.suppress(Exception):
            scope[name] = pickle.loads(data)


class _Printed:
    """The beginning and the end of a stream, and how much there was between."""

    def __init__(self) -> None:
        self._head, self._tail, self._cut = bytearray(), bytearray(), 0

    def feed(self, data: bytes) -> None:
        room = HEAD - len(self._head)
        self._head += data[: max(room, 0)]
        self._tail += data[max(room, 0) :]
        surplus = len(self._tail) - TAIL
        if surplus > 0:
            self._cut += surplus
            del self._tail[:surplus]

    def text(self) -> str:
        gap = f"\n[... {self._cut} bytes left out ...]\n".encode() if self._cut else b""
        return bytes(self._head + gap + self._tail).decode("utf-8", "replace")


def _watched(run: Callable[[], None], seconds: float) -> dict[str, Any]:
    """In a process of its own, which shares the imports. Its output is taken as it comes; at the limit it is killed."""
    streams = {"stdout": os.pipe(), "stderr": os.pipe()}
    child = os.fork()
    if child == 0:
        _as_program(run, streams["stdout"][1], streams["stderr"][1])
    grouped = _in_group_of_its_own(child)
    printed = {name: _Printed() for name in streams}
    with selectors.DefaultSelector() as waiting:
        for name, (reading, writing) in streams.items():
            os.close(writing)
            waiting.register(reading, selectors.EVENT_READ, name)
        code = _ended(child, time.monotonic() + seconds, lambda: _take(waiting, printed))
        if grouped:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
        # what it left running may hold the streams and print for ever: it is not waited for
        deadline = time.monotonic() + DRAIN_SECONDS
        while waiting.get_map() and _take(waiting, printed) and time.monotonic() < deadline:
            pass
    return {**{name: stream.text() for name, stream in printed.items()}, "exit_code": code}


def _ended(child: int, deadline: float, take: Callable[[], bool]) -> int | None:
    """The exit code; None if the deadline came first."""
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status)
        if time.monotonic() > deadline:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return None
        take()


def _in_group_of_its_own(child: int) -> bool:
    """So that what it starts ends with it. Refused on machines where no process of a job may leave its group."""
    try:
        os.setpgid(child, child)
    except OSError:
        return False
    return True


def _take(waiting: selectors.BaseSelector, printed: Mapping[str, _Printed]) -> bool:
    """What is in the streams, or comes soon. Whether anything did; a stream that was closed is let go."""
    if not waiting.get_map():
        time.sleep(TICK_SECONDS)
        return False
    ready = waiting.select(10 * TICK_SECONDS)
    for key, _ in ready:
        data = os.read(key.fd, 1 << 16)
        if not data:
            waiting.unregister(key.fileobj)
            continue
        printed[key.data].feed(data)
        os.write(1, data)  # the sandbox's own log, which is there even if this process is killed
    return bool(ready)


def _as_program(run: Callable[[], None], stdout: int, stderr: int) -> None:
    """In the child: behave as `python script.py` does, to the exit status."""
    status = 1
    try:
        _in_group_of_its_own(0)
        os.dup2(stdout, 1)
        os.dup2(stderr, 2)
        os.closerange(3, 64)
        # what was printed into the worker's own streams before is not the script's
        sys.stdout = io.TextIOWrapper(os.fdopen(1, "wb", 0, closefd=False), write_through=True)
        sys.stderr = io.TextIOWrapper(os.fdopen(2, "wb", 0, closefd=False), write_through=True)
        run()
        status = 0
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        if status == 1 and not isinstance(end.code, int):
            print(end.code, file=sys.stderr)
    except BaseException as error:
        _print_traceback(error)
    finally:
        with contextlib.suppress(Exception):
            threading._shutdown()  # type: ignore[attr-defined]  # as the interpreter does: it waits for threads
            atexit._run_exitfuncs()
            sys.stdout.flush()
        os._exit(status & 0xFF)


def _print_traceback(error: BaseException) -> None:
    """The frames of the script, without those that started it."""
    shown = traceback.TracebackException(type(error), error, error.__traceback__, compact=True)
    own = [frame for frame in shown.stack if not frame.filename.startswith(("perform.py", "<frozen runpy>"))]
    shown.stack = traceback.StackSummary.from_list(own)
    print("".join(shown.format()), file=sys.stderr, end="")


def _digests(kept: set[str]) -> dict[str, str]:
    """Every plain file of the workspace, but for the kept ones and what Python leaves behind."""
    found = {}
    for place, folders, names in os.walk("."):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(names):
            file = Path(place, name)
            if file.is_symlink() or not file.is_file() or file.as_posix() in kept:
                continue
            with contextlib.suppress(OSError):
                found[file.as_posix()] = _digest(file)
    return found


def _digest(file: Path) -> str:
    """Of the content; of one that is too large to be kept, which may be all holes and larger than memory, the size."""
    size = file.stat().st_size
    return f"{size} bytes" if size > LARGEST else hashlib.sha256(file.read_bytes()).hexdigest()


def _within_bounds(paths: list[str]) -> tuple[dict[str, bytes], list[str]]:
    """The contents that can be taken along, and the paths that cannot."""
    kept: dict[str, bytes] = {}
    left_out: list[str] = []
    room = LARGEST
    for path in paths:
        try:
            data = Path(path).read_bytes() if Path(path).stat().st_size <= room else None
        except OSError:  # by something that the script left running
            data = None
        if data is None or len(data) > room or len(kept) == MOST_FILES:
            left_out.append(path)
            continue
        room -= len(data)
        kept[path] = data
    return kept, left_out
