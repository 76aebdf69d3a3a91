"""An agent's program in its workspace inside the sandbox, and the one way out of it: `./validate`."""

import contextlib
import json
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

ASKING_FD = 4
DESK = Path(".assay")
TRANSCRIPT_BYTES = 4 << 20
LARGEST = 1 << 20
VALIDATE = """#!/bin/sh
# Has the work measured as it is now. Prints what came out; ends with 0 if there is a metric, else with 1.
cd "$(dirname "$0")" || exit 2
echo $$ > .assay/ask || exit 2
while [ ! -e .assay/answer.$$ ]; do sleep 0.05; done
cat .assay/answer.$$
status=$(cat .assay/status.$$)
rm -f .assay/answer.$$ .assay/status.$$
exit "$status"
"""


def perform(candidate: object, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Run the program to its end or its limit. The read-only files are there already."""
    for number, path in enumerate(inputs["paths"]):
        file = Path(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(inputs[f"file{number}"].tobytes())
    DESK.mkdir()
    os.mkfifo(DESK / "ask")
    Path("validate").write_text(VALIDATE)
    Path("validate").chmod(0o755)
    harness = socket.socket(fileno=ASKING_FD).makefile("rw")
    deadline = time.monotonic() + inputs["seconds"]
    program = subprocess.Popen(
        ["/bin/sh", "-c", inputs["command"]],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=_environment(inputs["variables"]),
    )
    transcript = bytearray()
    _attend(program, harness, inputs, transcript, deadline)
    timeout = program.poll() is None
    if timeout:
        program.kill()
    if inputs["own_space"]:
        with contextlib.suppress(ProcessLookupError):
            os.kill(-1, signal.SIGKILL)  # all that is left of it: what is measured last must not change meanwhile
    code = program.wait()
    _ask(harness, inputs, last=True)
    data = np.frombuffer(bytes(transcript), np.uint8)
    return {"exit_code": None if timeout else code, "transcript": data}


def _environment(given: Mapping[str, str]) -> dict[str, str]:
    home = Path(os.environ["TMPDIR"]) / "home"
    home.mkdir(exist_ok=True)
    folders = [str(Path(sys.executable).parent), "/usr/local/bin", "/usr/bin", "/bin"]
    return {**os.environ, "HOME": str(home), "PATH": ":".join(folders), **given}


def _attend(
    program: "subprocess.Popen[bytes]",
    harness: Any,
    inputs: Mapping[str, Any],
    transcript: bytearray,
    deadline: float,
) -> None:
    """Until the program ends or its time is up: take what it prints, and carry its questions out."""
    assert program.stdout is not None
    questions = os.open(DESK / "ask", os.O_RDWR | os.O_NONBLOCK)
    asked = b""
    with selectors.DefaultSelector() as waiting:
        waiting.register(program.stdout, selectors.EVENT_READ)
        waiting.register(questions, selectors.EVENT_READ)
        ended = False
        while time.monotonic() < deadline:
            ready = waiting.select(0.1)
            for key, _ in ready:
                if key.fd == questions:
                    *whole, asked = (asked + os.read(questions, 4096)).split(b"\n")
                    for name in whole:
                        _answer(harness, inputs, name)
                    continue
                data = os.read(key.fd, 1 << 16)
                if not data:
                    waiting.unregister(program.stdout)
                    continue
                transcript += data[: max(TRANSCRIPT_BYTES - len(transcript), 0)]
                os.write(1, data)
            if ended and not ready:
                break
            ended = program.poll() is not None


def _answer(harness: Any, inputs: Mapping[str, Any], name: bytes) -> None:
    if not name.isdigit():
        return
    told = _ask(harness, inputs, last=False)
    (DESK / f"status.{int(name)}").write_text("0" if told.get("ok") else "1")
    finished = DESK / f"answer.{int(name)}"
    part = finished.with_suffix(".part")
    part.write_text(str(told.get("text", "")) + "\n")
    part.rename(finished)


def _ask(harness: Any, inputs: Mapping[str, Any], last: bool) -> dict[str, Any]:
    """Hand in the files that count, and wait for what the harness says of them."""
    harness.write(json.dumps({"files": _files(inputs["editable"], inputs["modules"]), "last": last}) + "\n")
    harness.flush()
    told = json.loads(harness.readline() or "{}")
    return told if isinstance(told, dict) else {}


def _files(editable: list[str], modules: bool) -> dict[str, str]:
    paths = {Path(path) for path in editable}
    if modules:
        paths |= {path for path in Path(".").rglob("*.py") if not any(part.startswith(".") for part in path.parts)}
    found = {}
    for path in sorted(paths):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            if path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST:
                found[path.as_posix()] = path.read_text()
    return found
