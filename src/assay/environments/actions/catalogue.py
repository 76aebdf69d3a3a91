"""Every action: its name, what it takes, and what comes back.

Names and arguments are MLAgentBench's (arXiv 2310.03302), so that an agent written for it finds what it knows.
`Validate` and `Replace in File` are ours.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ActionInfo:
    """One action as an agent is told of it."""

    name: str
    description: str
    usage: Mapping[str, str]
    """Argument → what it is, in the order they are shown."""
    return_value: str
    is_primitive: bool = False
    """Low-level: the others come down to these, and to questions to a model."""

    @property
    def template(self) -> str:
        """How its input is written."""
        lines = ",\n".join(f'    "{argument}": [{said}]' for argument, said in self.usage.items())
        return f"{{\n{lines}\n}}" if lines else "{}"


_SCRIPT = "the name of a Python script, with its path if it lies in a folder"
_SAVE = "the name under which the edited script is saved; may be the same"

_ALL = (
    ActionInfo(
        "List Files",
        "Shows what lies in a folder of the work directory.",
        {"dir_path": 'the folder, such as "my_folder" or, for the work directory itself, "."'},
        "one name a line; a folder has a slash behind it",
        True,
    ),
    ActionInfo(
        "Read File",
        "Reads a whole text file.",
        {"file_name": "the name of the file, with its path"},
        "the content of the file",
        True,
    ),
    ActionInfo(
        "Write File",
        "Writes a text file, in place of what it held before.",
        {"file_name": "the name of the file, with its path", "content": "the whole new content"},
        "a sentence that says whether it was written",
        True,
    ),
    ActionInfo(
        "Append File",
        "Adds text to the end of a file, which is made if it is not there.",
        {"file_name": "the name of the file, with its path", "content": "what is added"},
        "a sentence that says whether it was written",
        True,
    ),
    ActionInfo(
        "Copy File",
        "Copies one file.",
        {"source": "the file to copy", "destination": "the name of the copy"},
        "a sentence that says whether it was copied",
        True,
    ),
    ActionInfo(
        "Undo Edit Script",
        "Takes back the last change of a file, whatever made it. Done again, it goes one change further back.",
        {"script_name": _SCRIPT},
        "the file as it is then",
        True,
    ),
    ActionInfo(
        "Execute Script",
        "Runs a Python script of the work directory, without arguments.",
        {"script_name": _SCRIPT},
        "what the script printed, its errors, how it ended and how long it took",
        True,
    ),
    ActionInfo(
        "Python REPL",
        "Runs a line of Python in the work directory, as at Python's prompt. Names live on to the next line.",
        {"command": "the line"},
        "what it printed",
        True,
    ),
    ActionInfo(
        "Request Help",
        "Asks the person who watches.",
        {"request": "what is to be asked or decided"},
        "the person's answer",
        True,
    ),
    ActionInfo(
        "Final Answer",
        "Hands in the work: nothing can be changed afterwards.",
        {"final_answer": "what was done and what came out"},
        "nothing: it is the last action",
        True,
    ),
    ActionInfo(
        "Understand File",
        "Has a file read by a model, which is the way to read a long one.",
        {
            "file_name": "the name of the file, with its path",
            "things_to_look_for": "what is to be found out, in detail",
        },
        "what the model found, with line numbers",
    ),
    ActionInfo(
        "Append Summary to Research Log",
        "Adds a note to the research log.",
        {"content": "the note, of at most 500 characters"},
        "a sentence that says whether it was written",
    ),
    ActionInfo(
        "Inspect Script Lines",
        "Shows a part of a script, of at most 100 lines.",
        {
            "script_name": _SCRIPT,
            "start_line_number": "the first line, counted from 1",
            "end_line_number": "the last line",
        },
        "the lines, and how many there are in all",
    ),
    ActionInfo(
        "Edit Script (AI)",
        "Has a script edited by a model, which sees the script and the instruction and nothing else.",
        {
            "script_name": f"{_SCRIPT}; an empty one is begun if it is not there",
            "edit_instruction": "what is to be changed and how, in detail",
            "save_name": _SAVE,
        },
        "the difference that the edit made: check it",
    ),
    ActionInfo(
        "Edit Script Segment (AI)",
        "Has a part of a script edited by a model, which sees those lines and the instruction and nothing else.",
        {
            "script_name": _SCRIPT,
            "start_line_number": "the first line of the part, counted from 1",
            "end_line_number": "the last line of the part",
            "edit_instruction": "what is to be changed and how, in detail",
            "save_name": _SAVE,
        },
        "the difference that the edit made: check it",
    ),
    ActionInfo(
        "Reflection",
        "Has a model think about the work so far, as the research log tells it.",
        {"things_to_reflect_on": "what to think about"},
        "what it came to",
    ),
    ActionInfo(
        "Retrieval from Research Log",
        "Has a model look through the research log for what matters now.",
        {"current_plan": "what is to be done next"},
        "what it found",
    ),
    ActionInfo(
        "Replace in File",
        "Replaces one place in a text file, letter for letter.",
        {
            "file_name": "the name of the file, with its path",
            "old": "the text as it stands there; it must occur exactly once",
            "new": "the text to put in its place",
        },
        "a sentence that says whether it was replaced",
    ),
    ActionInfo(
        "Validate",
        "Has the work measured as it is now, on validation data whose answers nobody here sees. Costs one validation "
        "of the budget.",
        {},
        "the metric, or why there is none",
    ),
)

CATALOGUE: dict[str, ActionInfo] = {info.name: info for info in _ALL}
"""By name, low-level ones first."""
HIDDEN = (
    "Read File",
    "Write File",
    "Append File",
    "Retrieval from Research Log",
    "Append Summary to Research Log",
    "Python REPL",
    "Edit Script Segment (AI)",
    "Reflection",
    "Request Help",
    "Replace in File",
    "Validate",
)
"""What MLAgentBench's agents are not told of, and may do all the same."""
ASSISTED = (
    "Understand File",
    "Edit Script (AI)",
    "Edit Script Segment (AI)",
    "Reflection",
    "Retrieval from Research Log",
)
"""Those that ask a model."""
EDITING = (
    "Write File",
    "Append File",
    "Copy File",
    "Undo Edit Script",
    "Replace in File",
    "Edit Script (AI)",
    "Edit Script Segment (AI)",
)
