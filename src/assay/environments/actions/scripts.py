"""Actions that run code, in the sandbox."""

from assay.environments.actions.base import Arguments, Doing
from assay.environments.execution import Executed, execute
from assay.environments.workspace import ActionError, canonical


def execute_script(doing: Doing, arguments: Arguments) -> str:
    name = arguments["script_name"]
    path = canonical(name)
    if not doing.workspace.has(path):
        raise ActionError(f"{name} does not exist; a script is run without arguments")
    executed = execute(doing.workspace, doing.runner, doing.limits, script=path)
    doing.ran, doing.exit_code = path, executed.exit_code
    return doing.primitive("Execute Script", arguments, described(executed))


def python_repl(doing: Doing, arguments: Arguments) -> str:
    executed = execute(doing.workspace, doing.runner, doing.limits, line=str(arguments["command"]))
    shown = executed.stdout + executed.stderr
    return doing.primitive("Python REPL", arguments, "\n".join(filter(None, [shown, executed.problem])))


def described(executed: Executed) -> str:
    """Both streams and the end, so that nothing has to be guessed."""
    ended = executed.problem or f"exit code {executed.exit_code}"
    parts = [f"The script ended: {ended}, after {_roughly(executed.seconds)}."]
    if executed.stdout.strip():
        parts.append(f"It printed:\n{executed.stdout.rstrip()}")
    if executed.stderr.strip():
        parts.append(f"Its errors and warnings:\n{executed.stderr.rstrip()}")
    if len(parts) == 1:
        parts.append("It printed nothing.")
    return "\n".join([*parts, *executed.notes])


def _roughly(seconds: float) -> str:
    """So that the same work done again is told in the same words, and a recorded run can be replayed."""
    return "less than 1 s" if seconds < 1 else f"about {float(f'{seconds:.1g}'):g} s"
