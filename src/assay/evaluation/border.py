"""The border of trust from both sides: what goes in tells no secret, and nothing that comes out breaks the grader."""

import ast
import math
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from assay.evaluation.noise import beats
from assay.evaluation.recording import Call, Outputs, replay
from assay.evaluation.rows import CheckRow, row
from assay.tasks.grader import Grade, Grader, InvalidOutput, Tampering
from assay.tasks.load import Task
from assay.tasks.payload import Payload

_SMALLEST_SECRET = 1000
"""Smaller whole numbers occur everywhere and are no secrets."""
_COLUMNS = 8
"""How many columns of one input array are tried as an answer."""


def alike_row(val: list[Call], test: list[Call]) -> CheckRow:
    """Validation and test cannot be told apart by what the candidate is given, other than by the data itself."""
    problems = [] if len(val) == len(test) else [f"{len(val)} processes on val, {len(test)} on test"]
    for number, (a, b) in enumerate(zip(val, test, strict=False)):
        shapes = [{name: _shape(value) for name, value in call.inputs.items()} for call in (a, b)]
        differing = [name for name in {**shapes[0], **shapes[1]} if shapes[0].get(name) != shapes[1].get(name)]
        problems += [
            f"process {number}: '{name}' is {shapes[0].get(name)} on val, {shapes[1].get(name)} on test"
            for name in differing
        ]
    return row(
        "val and test look alike from inside", problems[:3], f"{len(val)} processes, same names, types and shapes"
    )


def secrets_row(task: Task, calls: list[Call]) -> CheckRow:
    """The numbers that grader.py calls SECRET are neither in what the candidate is given nor in what it can read."""
    secrets = _secrets(task.paths.grader.read_text())
    texts = {"perform.py": task.perform_source, "prompt.md": task.prompt}
    texts |= {f"workspace/{path}": text for path, text in {**task.fixed_files, **task.baseline.files}.items()}
    problems = [
        f"{where} contains {s}" for where, text in texts.items() for s in secrets if str(s) in text.replace("_", "")
    ]
    for number, call in enumerate(calls):
        given = {n for name, value in call.inputs.items() for n in (_whole_numbers(value))}
        problems += [f"process {number} is given {secret}" for secret in secrets & given]
    return row("secrets stay with the grader", problems[:3], f"{len(secrets)} secret numbers, none found outside")


def no_labels_row(task: Task, grader: Grader, calls: list[Call], baseline: float) -> CheckRow:
    """No input is the answer: each array, or column, that has an output's length is handed back as that output."""
    problems, tried = [], 0
    for output, name, column in _echoes(calls):

        def echo(
            inputs: Payload, outputs: Outputs, output: str = output, name: str = name, column: int = column
        ) -> Outputs:
            if output in outputs and isinstance(inputs.get(name), np.ndarray):
                value = inputs[name] if inputs[name].ndim == 1 else inputs[name][:, column]
                wanted = np.asarray(outputs[output])
                if value.shape == wanted.shape:
                    outputs[output] = value.astype(wanted.dtype)
            return outputs

        tried += 1
        grade = _graded(grader, calls, echo)
        value = grade.metrics.get(task.spec.metric.name, math.nan) if isinstance(grade, Grade) else math.nan
        if math.isfinite(value) and beats(task, "val", value, baseline):
            problems.append(f"input '{name}' given back as '{output}' scores {value:.4g}, the baseline {baseline:.4g}")
    return row("inputs carry no labels", problems, f"{tried} inputs given back as answers, none beats the baseline")


def odd_outputs_row(grader: Grader, calls: list[Call]) -> CheckRow:
    """Whatever comes back, the grader grades it or refuses it; an exception of another kind is a defect of the task."""
    problems, tried = [], 0
    for what, odd in _ODD.items():
        for target in (None, *list(calls[-1].outputs)[:4]):

            def spoil(_: Payload, outputs: Outputs, odd: Any = odd, target: str | None = target) -> Outputs:
                return {k: odd(v) if target in (None, k) else v for k, v in outputs.items()}

            tried += 1
            end = _graded(grader, calls, spoil)
            if isinstance(end, Exception) and not isinstance(end, InvalidOutput | Tampering):
                problems.append(f"{what} as {target or 'every output'}: {end!r}")
    return row("odd outputs are refused", problems[:3], f"{tried} kinds of odd outputs graded or refused")


_ODD = {
    "nothing": lambda value: None,
    "a text": lambda value: "1.0",
    "a mapping": lambda value: {"score": 1.0},
    "an empty array": lambda value: np.zeros(0),
    "not-a-numbers": lambda value: np.full(np.shape(value), np.nan),
    "huge numbers": lambda value: np.full(np.shape(value), 1e300),
    "the smallest integers": lambda value: np.full(np.shape(value), np.iinfo(np.int64).min),
    "one axis more": lambda value: np.asarray(value, dtype=float)[None] if _numeric(value) else [[value]],
}


def _graded(grader: Grader, calls: list[Call], change: Any) -> Grade | Exception:
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return replay(grader, calls, "val", 0, change)
    except Exception as error:
        return error


def _numeric(value: Any) -> bool:
    return isinstance(value, np.ndarray | int | float)


def _shape(value: Any) -> str:
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


def _echoes(calls: list[Call]) -> list[tuple[str, str, int]]:
    """Pairs of an output and an input, or a column of one, which could be that output."""
    found: dict[tuple[str, str, int], None] = {}
    for call in calls:
        for output, wanted in call.outputs.items():
            if not isinstance(wanted, np.ndarray) or wanted.ndim != 1 or len(wanted) < 2:
                continue
            for name, given in call.inputs.items():
                if isinstance(given, np.ndarray) and given.ndim in (1, 2) and len(given) == len(wanted):
                    found |= {(output, name, column): None for column in _candidate_columns(given, wanted)}
    return list(found)


def _candidate_columns(given: Any, wanted: Any) -> list[int]:
    """A vector as it is. Of a table, columns with the same values as the labels asked for, or those nearest the numbers."""
    if given.ndim == 1:
        return [0]
    if wanted.dtype.kind in "iub":
        labels = set(np.unique(wanted).tolist())
        fitting = [j for j in range(given.shape[1]) if set(np.unique(given[:, j]).tolist()) == labels]
        return fitting[:_COLUMNS]
    with np.errstate(all="ignore"):
        nearness = [abs(np.corrcoef(given[:, j].astype(float), wanted)[0, 1]) for j in range(given.shape[1])]
    return [int(j) for j in np.argsort(np.nan_to_num(nearness))[::-1][:_COLUMNS]]
