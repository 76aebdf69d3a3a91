"""Grades a candidate of an original task folder. The folder's evaluator runs in the sandbox, never in the harness.

Two processes: the first runs the candidate's main script and has no answers; the second has the answers and holds what
the first left as plain files. No code of the candidate runs in the second unless the evaluator itself loads some, as
one does that unpickles a model. Its numbers are then the candidate's word; a task with a grader of its own has not that
limit.
"""

import math
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from assay.tasks.files import as_files
from assay.tasks.grader import Grade, InvalidOutput, Perform, Tampering
from assay.tasks.original.folder import OriginalPaths
from assay.tasks.outcome import Split
from assay.tasks.payload import Payload, encode


class OriginalGrader:
    """`split` and `seed` change nothing: the folder has one set of answers."""

    def __init__(self, paths: OriginalPaths, metric: str) -> None:
        self._paths = paths
        self._metric = metric

    def prepare(self, split: Split, seed: int) -> Payload:
        """What a script finds beside the texts of the workspace."""
        return as_files(self._paths.data)

    def conduct(self, perform: Perform, split: Split, seed: int) -> dict[str, Any]:
        left = perform(self._given)
        for path, data in left.items():
            if not _is_file(path, data):
                raise InvalidOutput(f"the script left something that is no file: {path[:100]!r}")
            if path in self._paths.read_only:
                raise Tampering(f"the script changed the read-only file {path}")
        submission = {f"submission/{path}": data for path, data in left.items()}
        return perform({"stage": "score", **self._behind_the_evaluator, **submission}, starter=True)

    def grade(self, outputs: Payload, split: Split, seed: int) -> Grade:
        """Raises InvalidOutput for what the evaluator refuses, and RuntimeError for an evaluator that cannot work."""
        if isinstance(missing := outputs.get("missing"), str):
            raise RuntimeError(f"{self._paths.grader} needs the package '{missing[:100]}', which is not installed here")
        if isinstance(refused := outputs.get("refused"), str):
            raise InvalidOutput(f"the evaluator refused what the script left: {refused[:300]}")
        score = outputs.get("score")
        if not isinstance(score, int | float) or not math.isfinite(score):
            raise InvalidOutput(f"the evaluator's score is no finite number: {str(score)[:100]}")
        return Grade({self._metric: float(score)})

    @cached_property
    def _given(self) -> bytes:
        return encode(as_files(self._paths.data))

    @cached_property
    def _behind_the_evaluator(self) -> Payload:
        """Its own folder, and the data of `env/`, which is fresh here whatever the script did to its copy."""
        own = {f"scripts/{path}": Path(file).read_bytes() for path, file in self._paths.hidden.items()}
        return as_files({**own, **{f"env/{path}": data for path, data in self._paths.data.items()}})


def _is_file(path: str, data: Any) -> bool:
    """Outputs are hostile: a name could lead anywhere, and a value be anything."""
    place = PurePosixPath(path)
    inside = path == place.as_posix() and not place.is_absolute() and ".." not in place.parts and path != "."
    return inside and isinstance(data, np.ndarray) and data.dtype == np.uint8 and data.ndim == 1
