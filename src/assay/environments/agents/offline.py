"""An interactive agent without any model: reads, edits the syntax tree, runs, keeps what helps, submits.

It stands in for a model in every interactive agent that is run with `offline`, whatever its prompts: those have nothing
to say where nobody reads them. It is the control group, as the offline proposer is for search agents.
"""

from collections.abc import Mapping, Sequence

from assay.environments.agents.base import Decision, Desk, Turn
from assay.environments.environment import FINAL, VALIDATE
from assay.environments.workspace import ActionError
from assay.proposers.base import View
from assay.proposers.offline import OfflineProposer
from assay.strategies.request import Request, Step
from assay.tasks.load import Task


def decide_offline(desk: Desk, history: Sequence[Turn]) -> Decision:
    """The next action. A pure function of the workspace, the steps and the turns so far."""
    task = desk.view.task
    beginning = _beginning(task)
    if len(history) < len(beginning):
        return beginning[len(history)]
    files, best = _files(desk), _best(desk.view)
    last = history[-1]
    different = _different(files, best.candidate.files)
    measured = any(not _different(files, step.candidate.files) for step in desk.view.steps)
    if different and measured and last.action == "Execute Script" and last.exit_code == 0:
        return Decision(VALIDATE, {})
    if different and (measured or desk.validations == 0):
        return _taking_back(different, best, last)
    if desk.validations == 0:
        return _handing_in(best, task)
    return _next_edit(desk, files, best)


def _beginning(task: Task) -> list[Decision]:
    """Look around: the folder, the code, and what it does as it is."""
    read = [Decision("Read File", {"file_name": path}) for path in task.spec.editable]
    run = [Decision("Execute Script", {"script_name": task.spec.script.run})] if task.spec.script else []
    return [Decision("List Files", {"dir_path": "."}), *read, *run]


def _taking_back(path: str, best: Step, last: Turn) -> Decision:
    """Undo; where that does not lead to the best, because a change was undone before, write the best."""
    if last.action == "Undo Edit Script":
        return Decision("Write File", {"file_name": path, "content": best.candidate.files[path]})
    return Decision("Undo Edit Script", {"script_name": path}, said="It did not help.")


def _next_edit(desk: Desk, files: Mapping[str, str], best: Step) -> Decision:
    """Write the next file of a proposal; when all are written, run the script and have the work measured."""
    # the same view until the step is there: the same proposal, however many files it takes to write
    view = View(task=desk.view.task, steps=desk.view.steps, seed=desk.view.seed, moment=len(desk.view.steps))
    request = Request(kind="improve", parents=(best.index,))
    proposal = OfflineProposer().propose(request, view)
    script = desk.view.task.spec.script
    if proposal.candidate is None:
        return _handing_in(best, desk.view.task)
    wanted = proposal.candidate.files
    if different := _different(files, wanted):
        return Decision("Write File", {"file_name": different, "content": wanted[different]}, said=proposal.description)
    return Decision("Execute Script", {"script_name": script.run}) if script else Decision(VALIDATE, {})


def _handing_in(best: Step, task: Task) -> Decision:
    said = (
        f"{task.spec.metric.name} is {best.value:.6g} on validation." if best.value is not None else "Nothing helped."
    )
    return Decision(FINAL, {"final_answer": said})


def _files(desk: Desk) -> dict[str, str]:
    """The code as it is; a file that a script took away or filled with something else than text counts as empty."""
    files = {}
    for path in desk.view.task.spec.editable:
        try:
            files[path] = desk.workspace.text(path)
        except ActionError:
            files[path] = ""
    return files


def _best(view: View) -> Step:
    metric = view.task.spec.metric
    best = view.steps[0]
    for step in view.steps:
        if step.value is not None and best.value is not None and metric.better(step.value, best.value):
            best = step
    return best


def _different(here: Mapping[str, str], there: Mapping[str, str]) -> str:
    """The first file that is not the same; empty if all are."""
    return next((path for path in sorted(here) if here[path] != there.get(path)), "")
