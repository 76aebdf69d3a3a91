"""Candidates that must gain nothing: the baseline with attacks appended, and one that claims success."""

from importlib.resources import files

from assay.tasks.candidate import Candidate
from assay.tasks.load import Task

LOOKING = ("split", "files", "datasets", "stack", "leftovers")
"""Attacks that look for something. Run before the baseline's functions are called, or at the end of its script."""
LYING = ("patches", "results")
"""Attacks that spoil or fake something. Run once the baseline's code has answered."""
REACHED = "REACHED"
NOTHING = "nothing reached"

_TAIL = """

def _probe(attacks, folder):
    for name, source in attacks.items():
        scope = {{}}
        try:
            exec(source, scope)
            reached = scope["attack"](folder)
        except BaseException:
            reached = []
        print(f"probe {{name}}:", "{reached} " + "; ".join(reached) if reached else "{nothing}", flush=True)


def _then_probe(function, attacks, folder):
    def probing(*arguments, **named):
        answer = function(*arguments, **named)
        _probe(attacks, folder)
        return answer

    return probing


_LOOKING = {looking!r}
_LYING = {lying!r}
_probe(_LOOKING, {folder!r})
for _name in {names!r}:
    if callable(globals().get(_name)) and not isinstance(globals()[_name], type):
        globals()[_name] = _then_probe(globals()[_name], _LYING, {folder!r})
if {script!r}:
    _probe(_LYING, {folder!r})
"""

_CLAIM = """

def _claim(*arguments, **named):
    return {{"{metric}": {best!r}, "metrics": {{"{metric}": {best!r}}}, "value": {best!r}, "kind": "ok"}}


for _name in {names!r}:
    globals()[_name] = _claim
"""

_CLAIM_IN_FILES = """

import json as _json
from pathlib import Path as _Path

for _path in {leaves!r}:
    _table = "id,{metric},value\\n0,{best!r},{best!r}\\n"
    _claims = _json.dumps({{"{metric}": {best!r}, "metrics": {{"{metric}": {best!r}}}, "value": {best!r}}})
    _Path(_path).write_text(_table if _path.endswith(".csv") else _claims)
"""


def looking(task: Task) -> Candidate:
    """The baseline, looking first for everything that should be out of reach."""
    return _with_attacks(task, LOOKING, ())


def lying(task: Task) -> Candidate:
    """The baseline, which fakes results and replaces metric functions once it has answered."""
    return _with_attacks(task, (), LYING)


def claiming(task: Task) -> Candidate:
    """Returns perfect metrics in place of every answer, or leaves them in place of every file."""
    metric, script = task.spec.metric, task.spec.script
    if script:
        return _appended(task, _CLAIM_IN_FILES.format(metric=metric.name, best=metric.best, leaves=script.leaves))
    return _appended(task, _CLAIM.format(metric=metric.name, best=metric.best, names=_names(task)))


def _with_attacks(task: Task, first: tuple[str, ...], after: tuple[str, ...]) -> Candidate:
    tail = _TAIL.format(
        looking={name: _source(name) for name in first},
        lying={name: _source(name) for name in after},
        folder=str(task.paths.root.resolve()),
        names=_names(task),
        script=task.spec.script is not None,
        reached=REACHED,
        nothing=NOTHING,
    )
    return _appended(task, tail)


def _appended(task: Task, tail: str) -> Candidate:
    path = _file(task)
    return Candidate(files={**task.baseline.files, path: task.baseline.files[path] + tail})


def _file(task: Task) -> str:
    """The editable file that the task runs or calls into."""
    if task.spec.script:
        return task.spec.script.run
    return next(iter(task.spec.defines), task.spec.editable[0])


def _names(task: Task) -> list[str]:
    return list(task.spec.defines.get(_file(task), ()))


def _source(name: str) -> str:
    return (files("assay.evaluation.hostile") / f"{name}.py").read_text()
