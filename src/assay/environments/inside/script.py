"""One script, or one line of Python, run in the workspace inside the sandbox: what it printed and what it changed."""

import contextlib
import hashlib
import io
import os
import pickle
import runpy
import selectors
import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

STATE = ".repl"
MOST_FILES = 2000
LARGEST = 48 << 20
HEAD, TAIL = 10_000, 10_000


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
    files = {f"file{number}": np.frombuffer(Path(path).read_bytes(), np.uint8) for number, path in enumerate(kept)}
    gone = [path for path in before if path not in after]
    return {**ended, "paths": kept, "left_out": left_out, "gone": gone, **files}


def _script(path: str) -> None:
    sys.argv = [path]
    sys.path.insert(0, str(Path(path).parent))
    runpy.run_path(path, run_name="__main__")


def _line(source: str) -> None:
    """As at Python's prompt. Names live on to the next line as far as they can be pickled, in here and nowhere else."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.suppress(OSError), Path(STATE).open("rb") as file:
        for name, text in pickle.load(file):
            with contextlib.suppress(Exception):
                scope[name] = pickle.loads(text)
    try:
        exec(compile(source, "<repl>", "single" if "\n" not in source.strip() else "exec"), scope)
    except Exception as error:
        print(repr(error))
    saved = []
    for name, value in scope.items():
        if not name.startswith("__"):
            with contextlib.suppress(Exception):
                saved.append((name, pickle.dumps(value)))
    Path(STATE).write_bytes(pickle.dumps(saved))


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
    started = time.monotonic()
    child = os.fork()
    if child == 0:
        _as_program(run, streams["stdout"][1], streams["stderr"][1])
    printed = {name: _Printed() for name in streams}
    status: int | None = None
    timeout = False
    with selectors.DefaultSelector() as waiting:
        for name, (reading, writing) in streams.items():
            os.close(writing)
            waiting.register(reading, selectors.EVENT_READ, name)
        while status is None or waiting.get_map():
            came = _take(waiting, printed)
            if status is None:
                ended, how = os.waitpid(child, os.WNOHANG)
                status = how if ended else None
            elif not came:
                break  # it ended; what it left running may hold the streams, and is not waited for
            if status is None and time.monotonic() - started > seconds:
                timeout = True
                os.kill(child, signal.SIGKILL)
                status = os.waitpid(child, 0)[1]
    texts = {name: stream.text() for name, stream in printed.items()}
    code = None if timeout else os.waitstatus_to_exitcode(status)
    return {**texts, "exit_code": code, "seconds": round(time.monotonic() - started, 3)}


def _take(waiting: selectors.BaseSelector, printed: Mapping[str, _Printed]) -> bool:
    """What is in the streams, or comes soon. Whether anything did; a stream that was closed is let go."""
    if not waiting.get_map():
        time.sleep(0.001)
        return False
    ready = waiting.select(0.05)
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
                found[file.as_posix()] = hashlib.sha256(file.read_bytes()).hexdigest()
    return found


def _within_bounds(paths: list[str]) -> tuple[list[str], list[str]]:
    kept: list[str] = []
    left_out: list[str] = []
    room = LARGEST
    for path in paths:
        size = Path(path).stat().st_size
        if size > room or len(kept) == MOST_FILES:
            left_out.append(path)
            continue
        room -= size
        kept.append(path)
    return kept, left_out
