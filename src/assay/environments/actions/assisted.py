"""Actions that ask a model: reading, editing, reflection. What it says is data; an edit is checked before it counts."""

import re
from collections.abc import Callable, Iterator
from difflib import unified_diff

from assay.environments.actions.base import LOG, Arguments, Doing, NoModel
from assay.environments.actions.files import line_numbers, lines_of, read_file, write_file
from assay.environments.render import render
from assay.environments.workspace import ActionError, canonical
from assay.models.base import Client, Completion, Message, Prompt
from assay.proposers.edits.checks import parse_python

BLOCK = 10_000
"""Characters that a model is shown of a file at once."""
UNCHANGED = "(nothing was changed)"
_FENCE = re.compile(r"^(`{3,}|~{3,})[^\n`]*\n", re.MULTILINE)


class TooLong(Exception):
    """A prompt does not fit into a model's context window."""


class ModelFailed(Exception):
    """A model refused or answered nothing that can be used."""


def understand_file(doing: Doing, arguments: Arguments) -> str:
    text = read_file(doing, {"file_name": arguments["file_name"]})
    wanted = str(arguments["things_to_look_for"])
    return in_blocks(
        doing.helpers.fast, text, lambda block, where: render("understand", block=block, where=where, wanted=wanted)
    )


def edit_script(doing: Doing, arguments: Arguments) -> str:
    before = _script(doing, arguments)
    asked = render("edit", script=before, instruction=str(arguments["edit_instruction"]), part=False)
    after = code_in(ask(doing.helpers.edit, asked), lambda code: _sound(arguments, code))
    return _save(doing, arguments, before, after)


def edit_segment(doing: Doing, arguments: Arguments) -> str:
    before = _script(doing, arguments)
    first, last = line_numbers(arguments)
    lines = lines_of(before)
    if first > len(lines) + 1:
        raise ActionError(f"lines {first} to {last} are not in the script, which has {len(lines)}")
    asked = render(
        "edit", script="\n".join(lines[first - 1 : last]), instruction=str(arguments["edit_instruction"]), part=True
    )

    def whole(part: str) -> str:
        return "\n".join([*lines[: first - 1], *lines_of(part), *lines[last:]]) + "\n"

    edited = code_in(ask(doing.helpers.edit, asked), lambda part: _sound(arguments, whole(part)))
    return _save(doing, arguments, before, whole(edited))


def reflection(doing: Doing, arguments: Arguments) -> str:
    log = read_file(doing, {"file_name": LOG})
    asked = render("reflect", problem=doing.problem, log=log, about=str(arguments["things_to_reflect_on"]))
    return f"Reflection: {ask(doing.helpers.fast, asked).text.strip()}\n"


def retrieval(doing: Doing, arguments: Arguments) -> str:
    log = read_file(doing, {"file_name": LOG})
    asked = render("retrieve", problem=doing.problem, log=log, plan=str(arguments["current_plan"]))
    return ask(doing.helpers.fast, asked).text.strip()


def in_blocks(client: Client | None, text: str, asked: Callable[[str, str], str]) -> str:
    """Ask about a text piece by piece, and have the answers put together where there are several."""
    answers = [ask(client, asked(block, where)).text.strip() for block, where in blocks(text)]
    if len(answers) == 1:
        return answers[0]
    return ask(client, render("merge", answers=answers)).text.strip()


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Pieces of less than BLOCK characters that end with a line, each with what it covers; a longer line is cut."""
    pieces = [
        line[at : at + BLOCK - 1] for line in text.splitlines(keepends=True) for at in range(0, len(line), BLOCK - 1)
    ]
    block, start, count = "", 1, 0
    for piece in pieces or [""]:
        if block and len(block) + len(piece) >= BLOCK:
            yield block, f"lines {start} to {start + count}"
            start, count, block = start + count, 0, ""
        block += piece
        count += piece.endswith("\n")
    yield block, f"lines {start} to {start + max(count - block.endswith(chr(10)), 0)}"


def ask(client: Client | None, text: str) -> Completion:
    """One question. Raises NoModel, TooLong or ModelFailed."""
    if client is None:
        raise NoModel
    completion = client.complete(Prompt(messages=(Message(role="user", content=text),)))
    if completion.stop == "too_long":
        raise TooLong
    if not completion.usable:
        raise ModelFailed("the model refused" if completion.stop == "refused" else "the model answered nothing")
    return completion


def code_in(completion: Completion, sound: Callable[[str], bool]) -> str:
    """The code block of an answer: to the first fence behind which it is sound, else to the last.

    In a sound script a line that looks like a fence stands within a text, and to stop there would not be sound.
    Raises ActionError if there is no code block, or if the answer was cut off.
    """
    if completion.stop == "length":
        raise ActionError("the edit was cut off at the output limit and was not saved; edit a smaller part")
    text = completion.text.replace("\r\n", "\n").rpartition("</think>")[2]
    opened = _FENCE.search(text)
    closed = re.compile(rf"^{opened[1]}[ \t]*$", re.MULTILINE).finditer(text, opened.end()) if opened else ()
    blocks = [text[opened.end() : end.start()] for end in closed] if opened else []
    if not blocks:
        raise ActionError("the model answered without a code block; nothing was saved")
    return next(filter(sound, blocks), blocks[-1])


def _script(doing: Doing, arguments: Arguments) -> str:
    """The script as it is. Raises ActionError if it cannot be read or the result could not be saved: before a model is
    asked, and paid."""
    doing.workspace.writable(arguments["save_name"])
    name = arguments["script_name"]
    return read_file(doing, {"file_name": name}) if doing.workspace.has(canonical(name)) else ""


def _save(doing: Doing, arguments: Arguments, before: str, after: str) -> str:
    name = arguments["save_name"]
    write_file(doing, {"file_name": name, "content": after})
    difference = "\n".join(unified_diff(lines_of(before), lines_of(after), lineterm="", n=3))
    parsed = parse_python(after) if _is_python(arguments) else ""
    beware = f"\nBeware: {name} is not valid Python any more: {parsed}" if parsed and isinstance(parsed, str) else ""
    return f"The edited script was saved as {name}. Check the difference:\n{difference or UNCHANGED}{beware}"


def _sound(arguments: Arguments, code: str) -> bool:
    return _is_python(arguments) and not isinstance(parse_python(code), str)


def _is_python(arguments: Arguments) -> bool:
    return canonical(arguments["save_name"]).endswith(".py")
