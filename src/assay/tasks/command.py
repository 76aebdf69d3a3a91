"""For tasks in FML-bench's own form: a command that runs in the workspace and leaves its metrics in a JSON file.

Such a task grades itself beside the candidate, so its numbers are claims: the candidate's code could have written the
file, read the labels, or seen which split it serves. `assay task check` says so. What remains is that the fixed files
are fresh for every evaluation, that the sandbox holds, and that the format is read strictly. A task whose answers can
be handed over as arrays should have a grader instead.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assay.tasks.grader import Grade, InvalidOutput
from assay.tasks.payload import Payload

RESULT = "result"
"""The name under which perform.py hands the content of the file back."""


def command_inputs(command: str, result_file: str) -> Payload:
    """For `prepare`: Python command lines joined by &&, and the file that they leave behind."""
    return {"command": command, "result_file": result_file}


def unified_grade(outputs: Payload, datasets: Sequence[str] = ()) -> Grade:
    """For `grade`: the metrics of a result file, each averaged over the data sets, or over all if none is named.

    Both shapes are read: one entry a data set with `means`, and a flat mapping of metrics. Standard errors are left
    out, because one run has none. A flag counts as 0 or 1, so that `constraint_violated` can be a constraint.
    Raises InvalidOutput if the file is of another shape or lacks a data set.
    """
    result = outputs.get(RESULT)
    if not isinstance(result, Mapping):
        raise InvalidOutput("the result file must hold a JSON object")
    if all(isinstance(value, int | float) for value in result.values()):
        return Grade(dict(_numbers(result)))
    missing = [name for name in datasets if name not in result]
    if missing:
        raise InvalidOutput(f"the result file has no data set '{missing[0]}'; it has: {', '.join(map(str, result))}")
    tables = [dict(_numbers(_means(name, result[name]))) for name in datasets or result]
    shared = set.intersection(*(set(table) for table in tables))
    return Grade({name: sum(table[name] for table in tables) / len(tables) for name in sorted(shared)})


def _means(name: str, entry: Any) -> Mapping[str, Any]:
    means = entry.get("means") if isinstance(entry, Mapping) else None
    if not isinstance(means, Mapping):
        raise InvalidOutput(f"data set '{name}' of the result file has no 'means'")
    return means


def _numbers(table: Mapping[str, Any]) -> Iterator[tuple[str, float]]:
    """What is a finite number or a flag; null and text are no value."""
    for name, value in table.items():
        if isinstance(value, int | float) and math.isfinite(value):
            yield str(name), float(value)
