"""Reading what a model wants to do next: files to write, commands to run, or the end."""

import re
import shlex
from dataclasses import dataclass, field

FENCE = re.compile(r"^\s{0,3}(`{3,}|~{3,})[^`]*$")
FILE = re.compile(r"^[\W_]*FILE\b[:\s*`]*([\w./-]+\.py)\b[\W_]*$")
RUN = re.compile(r"^[\s*`$>-]*RUN\b[:\s*`]*(python3?\b.*?)[`\s*]*$")
DONE = re.compile(r"^[\W_]*DONE[\W_]*$")
CODE_PATH = re.compile(r"code(/[A-Za-z_]\w*)+\.py")
KIT = ("code/chart.py",)
MOST_RUNS = 4


@dataclass
class Turn:
    """One answer of a model during experiments. `problems` say what of it could not be used, in words for the model."""

    files: dict[str, str] = field(default_factory=dict)
    runs: list[tuple[str, ...]] = field(default_factory=list)
    """Arguments of python, each."""
    done: bool = False
    problems: list[str] = field(default_factory=list)


def read_turn(text: str) -> Turn:
    """Never raises: an answer is the model's, and anything can stand in it."""
    turn = Turn()
    lines = spoken(text).split("\n")
    position, path = 0, ""
    while position < len(lines):
        line = lines[position]
        position += 1
        if FENCE.match(line):
            body, position = _block(lines, position, line.strip())
            if path:
                _add_file(turn, path, body)
            path = ""
        elif named := FILE.match(line):
            path = named[1]
        elif asked := RUN.match(line):
            _add_run(turn, asked[1])
        elif DONE.match(line):
            turn.done = True
    if not turn.runs and not turn.done and not turn.problems:
        turn.problems.append("there was neither a RUN line nor DONE")
    return turn


def spoken(text: str) -> str:
    """What a model said, without what it thought aloud."""
    return text.rpartition("</think>")[2].strip()


def _block(lines: list[str], start: int, opening: str) -> tuple[str, int]:
    """The lines up to the closing fence, and where it goes on. An open block ends with the answer."""
    mark = re.match(r"`+|~+", opening)
    assert mark
    for end in range(start, len(lines)):
        closing = lines[end].strip()
        if len(closing) >= len(mark[0]) and set(closing) == {mark[0][0]}:
            return "\n".join(lines[start:end]), end + 1
    return "\n".join(lines[start:]), len(lines)


def _add_file(turn: Turn, path: str, body: str) -> None:
    if not CODE_PATH.fullmatch(path) or path in KIT:
        turn.problems.append(f"{path} was not written: new files are code/NAME.py, and code/chart.py is given")
        return
    turn.files[path] = body.rstrip() + "\n"


def _add_run(turn: Turn, line: str) -> None:
    try:
        _, *arguments = shlex.split(line)
    except ValueError as error:
        turn.problems.append(f"'{line}' is not a command: {error}")
        return
    if not arguments or not CODE_PATH.fullmatch(arguments[0]):
        turn.problems.append(f"'{line}' was not run: a command is python code/NAME.py with its arguments")
    elif len(turn.runs) == MOST_RUNS:
        turn.problems.append(f"'{line}' was not run: at most {MOST_RUNS} commands an answer")
    else:
        turn.runs.append(tuple(arguments))
