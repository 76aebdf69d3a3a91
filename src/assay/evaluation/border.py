"""The border of trust from both sides: what goes in tells no secret, and nothing that comes out breaks the grader."""

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from assay.evaluation.recording import Call, Change, Outputs, Replay
from assay.evaluation.rows import CheckRow, row
from assay.evaluation.tables import column_echoes, form, odd_files, unseen
from assay.tasks.load import Task

_SMALLEST_SECRET = 1000
"""Smaller whole numbers occur everywhere and are no secrets."""
_COLUMNS = 8
"""How many columns of one input array are tried as an answer."""
_ECHOES = 24
_NEAR_BEST = 0.9
"""A feature may be a fair answer; one that goes nearly all of the way from the baseline to `best` is the truth."""


def alike_row(task: Task, val: list[Call], test: list[Call]) -> CheckRow:
    """Validation and test cannot be told apart by what the candidate is given, other than by the data itself."""
    shape = form if task.spec.script else _shape
    problems = [] if len(val) == len(test) else [f"{len(val)} processes on val, {len(test)} on test"]
    for number, (a, b) in enumerate(zip(val, test, strict=False)):
        there, here = ({name: shape(name, value) for name, value in call.inputs.items()} for call in (a, b))
        for name in {**there, **here}:
            if there.get(name) != here.get(name):
                problems.append(f"process {number}: '{name}' is {there.get(name)} on val, {here.get(name)} on test")
    same = "files, headers and numbers of rows" if task.spec.script else "names, types and shapes"
    detail = f"{len(val)} processes, same {same}"
    return row("val and test look alike from inside", problems[:3], detail)


def secrets_row(task: Task, calls: list[Call]) -> CheckRow:
    """The numbers that grader.py calls SECRET are neither in what the candidate is given nor in what it can read."""
    secrets = _secrets(task.paths.grader.read_text())
    texts = {"perform.py": task.perform_source, "prompt.md": task.prompt}
    texts |= {f"workspace/{path}": text for path, text in {**task.fixed_files, **task.baseline.files}.items()}
    problems = []
    for where, text in texts.items():
        problems += [f"{where} contains {secret}" for secret in secrets if str(secret) in text.replace("_", "")]
    for number, call in enumerate(calls):
        given = {whole for value in call.inputs.values() for whole in _whole_numbers(value)}
        if task.spec.script:
            content = "\n".join(value.tobytes().decode("latin-1") for value in call.inputs.values())
            given |= {secret for secret in secrets if re.search(rf"(?<![\d.]){secret}(?!\.?\d)", content)}
        problems += [f"process {number} is given {secret}" for secret in secrets & given]
    return row("secrets stay with the grader", problems[:3], f"{len(secrets)} secret numbers, none found outside")


def no_labels_row(task: Task, replay: Replay) -> CheckRow:
    """No input is the answer: each array, or column, that has an output's length is handed back as that output."""
    problems = []
    start = replay.baseline.value
    echoes = column_echoes(replay.calls) if task.spec.script else _echoes(replay.calls)
    for what, change in echoes:
        end = replay.outcome(change)
        if end.value is None or start is None:
            continue
        if task.spec.metric.improvement(end.value, start) > _NEAR_BEST:
            problems.append(f"{what} scores {end.value:.4g} against {start:.4g}")
    detail = f"{len(echoes)} inputs given back as answers, none comes near the bound"
    dark = unseen(replay.calls) if task.spec.script else []
    detail += f"; not looked into: {', '.join(dark)}" if dark else ""
    return row("inputs carry no labels", problems[:3], detail)


def odd_outputs_row(task: Task, replay: Replay) -> CheckRow:
    """Whatever comes back, the grader grades or refuses it; any other exception is a defect of the task."""
    problems, tried = [], 0
    for what, odd in {**_ODD, **(odd_files() if task.spec.script else {})}.items():
        for target in (None, *list(replay.calls[-1].outputs)[:4]):
            tried += 1
            end = replay.outcome(_spoil(odd, target))
            if end.blame == "task":
                problems.append(f"{what} as {target or 'every output'}: {end.message}")
    return row("odd outputs are refused", problems[:3], f"{tried} odd outputs graded or refused")


_ODD: dict[str, Callable[[Any], Any]] = {
    "nothing": lambda value: None,
    "a text": lambda value: "1.0",
    "a mapping": lambda value: {"score": 1.0},
    "an empty array": lambda value: np.zeros(0),
    "not-a-numbers": lambda value: np.full(np.shape(value), np.nan),
    "huge numbers": lambda value: np.full(np.shape(value), 1e300),
    "the smallest integers": lambda value: np.full(np.shape(value), np.iinfo(np.int64).min),
    "one axis more": lambda value: value[None] if isinstance(value, np.ndarray) else [value],
}


def _echo(output: str, name: str, column: int) -> Change:
    """Give one input back as one output, wherever a process has both."""

    def change(inputs: dict[str, Any], outputs: Outputs) -> Outputs:
        given, wanted = inputs.get(name), outputs.get(output)
        if isinstance(given, np.ndarray) and isinstance(wanted, np.ndarray):
            value = given if given.ndim == 1 else given[:, column]
            outputs[output] = value.astype(wanted.dtype) if value.shape == wanted.shape else wanted
        return outputs

    return change


def _spoil(odd: Callable[[Any], Any], target: str | None) -> Change:
    return lambda _, outputs: {name: odd(v) if target in (None, name) else v for name, v in outputs.items()}


def _shape(name: str, value: Any) -> str:
    """Type and shape of an array; a JSON value itself, because it must not differ either."""
    return f"{value.dtype}{list(value.shape)}" if isinstance(value, np.ndarray) else repr(value)[:60]


def _secrets(source: str) -> set[int]:
    """Whole numbers assigned to names with SECRET in them."""
    found: set[int] = set()
    for node in ast.parse(source).body:
        named = isinstance(node, ast.Assign) and any("SECRET" in ast.unparse(target) for target in node.targets)
        for part in ast.walk(node) if named else ():
            if isinstance(part, ast.Constant) and type(part.value) is int and part.value >= _SMALLEST_SECRET:
                found.add(part.value)
    return found


def _whole_numbers(value: Any) -> Iterator[int]:
    """Of JSON of any depth, and of small arrays; a secret among millions of pixels would be chance."""
    if isinstance(value, np.ndarray):
        value = value.ravel().tolist() if value.dtype.kind in "iu" and value.size <= 100 else []
    if isinstance(value, Mapping):
        value = [*value.values()]
    if isinstance(value, list):
        for item in value:
            yield from _whole_numbers(item)
    elif isinstance(value, int):
        yield int(value)


def _echoes(calls: list[Call]) -> list[tuple[str, Change]]:
    """Each input, or column of one, which could be an output, as a change that gives it back in place of that."""
    found: dict[tuple[str, str, int], None] = {}
    # what is also an input is carried from process to process, and is no answer
    carried = {name for call in calls for name in call.inputs}
    for call in calls:
        for output, wanted in call.outputs.items():
            if output in carried or not isinstance(wanted, np.ndarray) or wanted.ndim != 1 or len(wanted) < 2:
                continue
            for name, given in call.inputs.items():
                if isinstance(given, np.ndarray) and given.ndim in (1, 2) and len(given) == len(wanted):
                    found |= {(output, name, column): None for column in _columns(given, wanted)}
    return [
        (f"input '{name}' given back as '{output}'", _echo(output, name, column))
        for output, name, column in list(found)[:_ECHOES]
    ]


def _columns(given: Any, wanted: Any) -> list[int]:
    """A vector as it is. Of a table, the columns with the same values as labels, or those nearest to numbers."""
    if given.ndim == 1:
        return [0]
    if wanted.dtype.kind in "iub":
        labels = set(np.unique(wanted).tolist())
        fitting = [j for j in range(given.shape[1]) if set(np.unique(given[:, j]).tolist()) == labels]
        return fitting[:_COLUMNS]
    with np.errstate(all="ignore"):
        nearness = [abs(np.corrcoef(given[:, j].astype(float), wanted)[0, 1]) for j in range(given.shape[1])]
    return [int(j) for j in np.argsort(np.nan_to_num(nearness))[::-1][:_COLUMNS]]
