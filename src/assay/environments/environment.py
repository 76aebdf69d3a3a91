"""The environment of an interactive agent: takes an action by name, and always answers.

The order of what is looked at, and the first words of each answer, are MLAgentBench's, so that agents made for it read
them as they are used to. Nothing that an action, a model or a script does ends a run.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from assay.environments.actions import assisted, files, scripts
from assay.environments.actions.base import Arguments, Doing, NoModel
from assay.environments.actions.catalogue import CATALOGUE, ActionInfo
from assay.environments.workspace import ActionError
from assay.models.base import ModelUnavailable
from assay.runs.events import ActKind

FINAL = "Final Answer"
VALIDATE = "Validate"

Function = Callable[[Doing, Arguments], str]
_FUNCTIONS: dict[str, Function] = {
    "List Files": files.list_files,
    "Read File": files.read_file,
    "Write File": files.write_file,
    "Append File": files.append_file,
    "Copy File": files.copy_file,
    "Undo Edit Script": files.undo_edit,
    "Execute Script": scripts.execute_script,
    "Python REPL": scripts.python_repl,
    "Understand File": assisted.understand_file,
    "Append Summary to Research Log": files.append_summary,
    "Inspect Script Lines": files.inspect_lines,
    "Edit Script (AI)": assisted.edit_script,
    "Edit Script Segment (AI)": assisted.edit_segment,
    "Reflection": assisted.reflection,
    "Retrieval from Research Log": assisted.retrieval,
    "Replace in File": files.replace_in_file,
}


@dataclass(frozen=True)
class Observation:
    """What the environment answered, and how the action ended."""

    text: str
    kind: ActKind


def act(name: str, arguments: Mapping[str, Any] | str, doing: Doing) -> Observation:
    """Carry out one action. Arguments that are a text are those that could not be read.

    Final Answer and Validate are the caller's to carry out; this says only whether they were called rightly. Raises
    BudgetReached from a model call within the action, and nothing for whatever an agent asks.
    """
    if name == FINAL:
        return Observation("end", "end")
    info = available(doing).get(name)
    if info is None:
        names = ", ".join(available(doing))
        return Observation(f"There is no action '{name}'; nothing was done. The actions are: {names}", "unknown")
    if not isinstance(arguments, Mapping):
        return Observation(wrong_input(info), "arguments")
    if set(arguments) != set(info.usage):
        return Observation(f"EnvError: {wrong_input(info)}", "arguments")
    if name == VALIDATE:
        return Observation("", "ok")
    if name == "Request Help":
        assert doing.help is not None, "offered only where somebody helps"
        request = str(arguments["request"])
        return Observation(doing.primitive(name, arguments, doing.help(request)), "ok")
    return _carried_out(_FUNCTIONS[name], arguments, doing)


def available(doing: Doing) -> dict[str, ActionInfo]:
    """Every action that may be called; a person can be asked only where one is there."""
    return {name: info for name, info in CATALOGUE.items() if name != "Request Help" or doing.help is not None}


def wrong_input(info: ActionInfo) -> str:
    """What is said where arguments cannot be used."""
    return (
        f"the input of '{info.name}' must be a JSON object with exactly these entries; perhaps a comma or a quotation "
        f"mark is missing:\n{info.template}"
    )


def _carried_out(function: Function, arguments: Arguments, doing: Doing) -> Observation:
    try:
        return Observation(function(doing, arguments), "ok")
    except ActionError as error:
        return Observation(f"EnvError: {error}", "error")
    except assisted.TooLong:
        return Observation("EnvError: too long input for the tool", "error")
    except assisted.ModelFailed as error:
        return Observation(f"LLMError: {error}", "model")
    except ModelUnavailable as error:
        return Observation(f"LLMError: {error.message}", "model")
    except NoModel:
        return Observation("EnvError: this action asks a model, and this run has none", "error")
