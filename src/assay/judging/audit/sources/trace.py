"""What an agent's own trace says it did: commands with their output, files it typed, what it announced.

Three forms are read: a JSON array or JSON lines of messages with tool calls, a text log with time-stamped entries, and
plain narration. A trace tells what no result file can: that a file was typed and not computed.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from assay.judging.audit.inventory import File, Inventory

TRACE_NAME = re.compile(r"(claude_output|codex_log|gemini_log|trace|transcript|trajectory|conversation|session)", re.I)
LARGEST = 64 * 2**20
STAMPED = re.compile(r"^\[(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)[^\]]*\] ?(.*)$")
HEREDOC = re.compile(
    r"(?:cat|tee)\b[^\n<>]*(?:>>?\s*(?P<a>[^\s<>|;&]+)\s*<<|<<)-?\s*['\"]?(?P<tag>\w+)['\"]?"
    r"(?:\s*>>?\s*(?P<b>[^\s<>|;&]+))?[^\n]*\n(?P<body>.*?)\n\s*(?P=tag)\b",
    re.S,
)
ECHO = re.compile(
    r"(?:echo|printf)\s+(?:-[en]+\s+)?(?P<quote>['\"])(?P<body>.*?)(?P=quote)\s*>>?\s*(?P<path>[^\s|;&]+)", re.S
)
PATCH = re.compile(r"^(?:\*\*\* (?:Add|Update) File: |\+\+\+ (?:b/)?)(?P<path>\S+)", re.M)


@dataclass(frozen=True, slots=True)
class Act:
    """One thing an agent did. `text` is the command, the output, the content typed, or the words said."""

    kind: Literal["command", "output", "write", "say"]
    text: str
    path: str = ""
    """The file typed."""
    line: int | None = None


@dataclass
class Trace:
    """What one trace file holds."""

    file: str
    acts: list[Act] = field(default_factory=list)
    started: datetime | None = None
    ended: datetime | None = None
    seconds: float | None = None
    """How long the whole took, by the agent's program."""

    def of(self, kind: str) -> list[Act]:
        return [act for act in self.acts if act.kind == kind]

    def add(self, kind: Literal["command", "output", "say"], text: str, line: int | None = None) -> None:
        self.acts.append(Act(kind, text, "", line))
        if kind == "command":
            self.acts.extend(Act("write", body, path, line) for path, body in typed_by(text))


def read_traces(inventory: Inventory) -> list[Trace]:
    """Every trace of the folder."""
    found = []
    for file in inventory.files:
        if TRACE_NAME.search(file.stem) and file.size <= LARGEST and file.role in ("raw", "log", "other"):
            trace = _read(file)
            if trace.acts:
                found.append(trace)
    return found


def typed_by(command: str) -> Iterator[tuple[str, str]]:
    """The files that a shell command types out, with their content: here-documents, echo, patches."""
    for match in HEREDOC.finditer(command):
        path = match["a"] or match["b"]
        if path:
            yield path, match["body"]
    for match in ECHO.finditer(command):
        yield match["path"], match["body"]
    parts = PATCH.split(command)
    for path, body in zip(parts[1::2], parts[2::2], strict=False):
        added = [line[1:] for line in body.splitlines() if line.startswith("+")]
        yield path, "\n".join(added)


def _read(file: File) -> Trace:
    trace = Trace(file.name)
    text = file.text
    if file.suffix in (".json", ".jsonl"):
        for message in _messages(text):
            _message(message, trace)
    elif any(STAMPED.match(line) for line in text[:20_000].splitlines()):
        _stamped(text, trace)
    elif "log" in file.stem or file.role == "log":
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip():
                trace.add("say", line, number)
    return trace


def _messages(text: str) -> Iterator[dict[str, Any]]:
    try:
        loaded = json.loads(text)
    except json.JSONDecodeError:
        loaded = []
        for line in text.splitlines():
            try:
                loaded.append(json.loads(line))
            except json.JSONDecodeError:
                continue
    if isinstance(loaded, dict):
        loaded = loaded.get("messages") or loaded.get("events") or [loaded]
    yield from (m for m in loaded if isinstance(m, dict)) if isinstance(loaded, list) else ()


def _message(message: dict[str, Any], trace: Trace) -> None:
    body = message.get("message") if isinstance(message.get("message"), dict) else message
    assert isinstance(body, dict)
    for name in ("duration_ms", "duration"):
        if isinstance(message.get(name), int | float):
            trace.seconds = message[name] / (1000 if name.endswith("ms") else 1)
    stamp = _stamp(str(message.get("timestamp", "")))
    trace.started, trace.ended = trace.started or stamp, stamp or trace.ended
    role, content = body.get("role"), body.get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    for block in content if isinstance(content, list) else []:
        if isinstance(block, dict):
            _block(block, str(role), trace)


def _block(block: dict[str, Any], role: str, trace: Trace) -> None:
    kind, given = block.get("type"), block.get("input")
    if kind == "text" and role == "assistant":
        trace.add("say", str(block.get("text", "")))
    elif kind == "tool_result":
        content = block.get("content")
        parts = content if isinstance(content, list) else [content]
        trace.add("output", "\n".join(str(p.get("text", "")) if isinstance(p, dict) else str(p) for p in parts))
    elif kind == "tool_use" and isinstance(given, dict):
        _call(given, trace)


def _call(given: dict[str, Any], trace: Trace) -> None:
    """A tool call: something with a command ran it, something with a path and a content typed a file."""
    path = next((str(given[n]) for n in ("file_path", "path", "filename", "notebook_path") if n in given), "")
    content = next(
        (given[n] for n in ("content", "file_text", "new_string", "new_str", "new_source") if n in given), None
    )
    command = next((given[n] for n in ("command", "cmd") if n in given), None)
    if path and isinstance(content, str):
        trace.acts.append(Act("write", content, path))
    elif isinstance(command, str):
        trace.add("command", command)
    elif isinstance(command, list):
        trace.add("command", " ".join(map(str, command)))
    elif isinstance(given.get("edits"), list):
        new = "\n".join(str(e.get("new_string", "")) for e in given["edits"] if isinstance(e, dict))
        trace.acts.append(Act("write", new, path))


def _stamped(text: str, trace: Trace) -> None:
    """Entries `[time] word …`, each followed by its lines."""
    entries: list[tuple[int, str, list[str]]] = []
    for number, line in enumerate(text.splitlines(), start=1):
        match = STAMPED.match(line)
        if match:
            stamp = _stamp(match[1])
            trace.started, trace.ended = trace.started or stamp, stamp or trace.ended
            entries.append((number, match[2], []))
        elif entries:
            entries[-1][2].append(line)
    if trace.started and trace.ended:
        trace.seconds = (trace.ended - trace.started).total_seconds()
    for number, head, lines in entries:
        body = "\n".join(lines)
        word = head.split(" ", 1)[0].lower().rstrip(":")
        if word == "exec":
            trace.add("command", f"{head[5:]}\n{body}", number)
        elif "patch" in word or word in ("diff", "file"):
            trace.acts.extend(Act("write", content, path, number) for path, content in typed_by(body))
        elif re.search(r"(succeeded|failed|exited \d+) in", head):
            trace.add("output", body, number)
        elif word in ("codex", "thinking", "assistant"):
            trace.add("say", body, number)


def _stamp(text: str) -> datetime | None:
    try:
        stamp = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        return None
    return stamp if stamp.tzinfo else stamp.replace(tzinfo=UTC)
