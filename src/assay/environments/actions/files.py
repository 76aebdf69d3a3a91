"""Actions on files."""

from assay.environments.actions.base import LOG, Arguments, Doing
from assay.environments.workspace import ActionError, canonical

MOST_LINES = 100


def list_files(doing: Doing, arguments: Arguments) -> str:
    text = "\n".join(doing.workspace.listing(arguments["dir_path"]))
    return doing.primitive("List Files", arguments, text)


def read_file(doing: Doing, arguments: Arguments) -> str:
    return doing.primitive("Read File", arguments, doing.workspace.text(arguments["file_name"]))


def write_file(doing: Doing, arguments: Arguments) -> str:
    name, content = arguments["file_name"], _text(arguments["content"])
    doing.workspace.write(name, content)
    return doing.primitive("Write File", arguments, f"{name} was written.")


def append_file(doing: Doing, arguments: Arguments) -> str:
    name, content = arguments["file_name"], _text(arguments["content"])
    before = doing.workspace.read(name) if doing.workspace.has(canonical(name)) else b""
    doing.workspace.write(name, before + content.encode())
    return doing.primitive("Append File", arguments, f"The text was appended to {name}.")


def copy_file(doing: Doing, arguments: Arguments) -> str:
    source, destination = arguments["source"], arguments["destination"]
    doing.workspace.write(destination, doing.workspace.read(source))
    return doing.primitive("Copy File", arguments, f"{source} was copied to {destination}.")


def undo_edit(doing: Doing, arguments: Arguments) -> str:
    name = arguments["script_name"]
    path = doing.workspace.undo(name)
    data = doing.workspace.read(path) if doing.workspace.has(path) else b"(the file did not exist before)"
    shown = data.decode("utf-8", "replace")
    return doing.primitive("Undo Edit Script", arguments, f"{name} as it was before its last change:\n{shown}")


def inspect_lines(doing: Doing, arguments: Arguments) -> str:
    name = arguments["script_name"]
    first, last = line_numbers(arguments)
    if last - first >= MOST_LINES:
        raise ActionError(f"at most {MOST_LINES} lines can be shown at once; use Understand File for more")
    lines = lines_of(read_file(doing, {"file_name": name}))
    if first > len(lines):
        raise ActionError(f"{name} has {len(lines)} lines only")
    shown = "\n".join(lines[first - 1 : last])
    return f"Lines {first} to {min(last, len(lines))} of {name}, which has {len(lines)} in all:\n{shown}"


def replace_in_file(doing: Doing, arguments: Arguments) -> str:
    name, old, new = arguments["file_name"], _text(arguments["old"]), _text(arguments["new"])
    text = read_file(doing, {"file_name": name})
    count = text.count(old) if old else 0
    if count != 1:
        raise ActionError(f"the text to replace occurs {count} times in {name}; it must occur exactly once")
    write_file(doing, {"file_name": name, "content": text.replace(old, new)})
    return f"One place in {name} was replaced."


def append_summary(doing: Doing, arguments: Arguments) -> str:
    append_file(doing, {"file_name": LOG, "content": _text(arguments["content"]) + "\n"})
    return "The note was added to the research log."


def line_numbers(arguments: Arguments) -> tuple[int, int]:
    """First and last line, the first at least 1. Raises ActionError if they are no whole numbers, or in wrong order."""
    try:
        first, last = int(arguments["start_line_number"]), int(arguments["end_line_number"])
    except (TypeError, ValueError, OverflowError):
        raise ActionError("start_line_number and end_line_number must be whole numbers") from None
    if last < max(first, 1):
        raise ActionError("end_line_number must not be less than start_line_number, nor less than 1")
    return max(first, 1), last


def lines_of(text: str) -> list[str]:
    """The lines as an editor counts them: only a line break ends one, whatever other characters a string may hold."""
    return text.removesuffix("\n").split("\n") if text else []


def _text(value: object) -> str:
    """Raises ActionError if it is no text, or one that no file can hold."""
    if not isinstance(value, str):
        raise ActionError(f"a text was expected, not {type(value).__name__}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise ActionError("the text holds half a character, which no file can") from None
    return value
