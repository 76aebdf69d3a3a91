"""An agent's program in its workspace inside the sandbox, and the one way out of it: a script by which it asks."""

import base64
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
ASKING = """#!/bin/sh
# Hands the work in as it is now, with these arguments, and prints what came of it; ends with 0 if it went well.
cd "$(dirname "$0")" || exit 2
echo "$$ $*" > .assay/ask || exit 2
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
    Path(inputs["asks"]).write_text(ASKING)
    Path(inputs["asks"]).chmod(0o755)
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
    _ask(harness, inputs, "", last=True)
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
                    for line in whole:
                        _answer(harness, inputs, line.decode("utf-8", "replace"))
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


def _answer(harness: Any, inputs: Mapping[str, Any], line: str) -> None:
    number, _, arguments = line.partition(" ")
    if not number.isdecimal() or len(number) > 9:
        return
    told = _ask(harness, inputs, arguments, last=False)
    (DESK / f"status.{number}").write_text("0" if told.get("ok") else "1")
    finished = DESK / f"answer.{number}"
    part = finished.with_suffix(".part")
    part.write_text(str(told.get("text", "")) + "\n")
    part.rename(finished)


def _ask(harness: Any, inputs: Mapping[str, Any], arguments: str, last: bool) -> dict[str, Any]:
    """Hand in the files that count, wait for what the harness says of them, and lay down what it gives back."""
    asked = {"files": _files(inputs["sends"]), "arguments": arguments, "last": last}
    harness.write(json.dumps(asked) + "\n")
    harness.flush()
    told: dict[str, Any] = json.loads(harness.readline() or "{}")
    for path, data in told.get("files", {}).items():
        with contextlib.suppress(OSError):
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            Path(path).write_bytes(base64.b64decode(data))
    return told


def _files(patterns: list[str]) -> dict[str, str]:
    found = {}
    paths = {path for pattern in patterns for path in Path().glob(pattern)}
    for path in sorted(path for path in paths if not any(part.startswith(".") for part in path.parts)):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            if path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST:
                found[path.as_posix()] = path.read_text()
    return found
