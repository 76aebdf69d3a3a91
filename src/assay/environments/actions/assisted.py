"""Actions that ask a model: reading, editing, reflection. What it says is data; an edit is checked before it counts."""

import ast
import re
from collections.abc import Callable, Iterator
from difflib import unified_diff

from assay.environments.actions.base import LOG, Arguments, Doing, NoModel
from assay.environments.actions.files import line_numbers, read_file, write_file
from assay.environments.render import render
from assay.environments.workspace import ActionError, canonical
from assay.models.base import Client, Completion, Message, Prompt

BLOCK = 10_000
"""Characters that a model is shown of a file at once."""
_FENCE = re.compile(r"^(`{3,}|~{3,})[^\n`]*\n(.*)^\1\s*$", re.DOTALL | re.MULTILINE)


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
    name = arguments["script_name"]
    before = _script(doing, name)
    asked = render("edit", script=before, instruction=str(arguments["edit_instruction"]), part=False)
    return _save(doing, arguments, before, code_in(ask(doing.helpers.edit, asked)))


def edit_segment(doing: Doing, arguments: Arguments) -> str:
    before = _script(doing, arguments["script_name"])
    first, last = line_numbers(arguments)
    lines = before.splitlines()
    if first > len(lines) + 1 or last < first:
        raise ActionError(f"lines {first} to {last} are not in the script, which has {len(lines)}")
    part = "\n".join(lines[first - 1 : last])
    asked = render("edit", script=part, instruction=str(arguments["edit_instruction"]), part=True)
    edited = code_in(ask(doing.helpers.edit, asked)).rstrip("\n").splitlines()
    after = "\n".join([*lines[: first - 1], *edited, *lines[last:]]) + "\n"
    return _save(doing, arguments, before, after)


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


def code_in(completion: Completion) -> str:
    """The code between the first fence and the last. Raises ActionError if there is none, or if it was cut off."""
    if completion.stop == "length":
        raise ActionError("the edit was cut off at the output limit and was not saved; edit a smaller part")
    found = _FENCE.search(completion.text.replace("\r\n", "\n"))
    if found is None:
        raise ActionError("the model answered without a code block; nothing was saved")
    return found[2]


def _script(doing: Doing, name: str) -> str:
    if not doing.workspace.has(canonical(name)):
        return ""
    return read_file(doing, {"file_name": name})


def _save(doing: Doing, arguments: Arguments, before: str, after: str) -> str:
    name = arguments["save_name"]
    write_file(doing, {"file_name": name, "content": after})
    difference = "\n".join(unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=3))
    shown = difference or "(nothing was changed)"
    return f"The edited script was saved as {name}. Check the difference:\n{shown}{_warning(name, after)}"


def _warning(name: str, code: str) -> str:
    if not str(name).endswith(".py"):
        return ""
    try:
        ast.parse(code)
    except (SyntaxError, ValueError) as error:
        return f"\nBeware: {name} is not valid Python any more: {error}"
    return ""
