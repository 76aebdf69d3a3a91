"""Results in a notebook:

>>> import assay
>>> results = assay.load("results")            # doctest: +SKIP
>>> results.steps().groupby("agent")["ok"].mean()   # doctest: +SKIP
"""

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from assay.errors import AssayError
from assay.scoring.frames import Columns, run_columns, step_columns
from assay.scoring.scores import Scores, load_scores

if TYPE_CHECKING:
    from pandas import DataFrame


class Results:
    """The runs of a results folder as data frames. `scores` is the same without pandas."""

    def __init__(self, scores: Scores) -> None:
        self.scores = scores

    def steps(self) -> "DataFrame":
        """One tidy frame, one row a step; docs/metrics.md lists its columns."""
        return _frame(step_columns(self.scores))

    def runs(self) -> "DataFrame":
        """One tidy frame, one row a run, with every measure."""
        return _frame(run_columns(self.scores))


def load(results: str | PathLike[str], embedder: str | None = None, embedder_path: str | None = None) -> Results:
    """Read a results folder; with an embedder, how its runs explored too. Damaged runs are in `scores.damaged`.

    Raises UsageError if the folder holds no runs or the embedder is not known.
    """
    from assay.embedding.registry import open_embedder

    folder = Path(results)
    chosen = open_embedder(embedder, embedder_path, folder / ".cache" / "embeddings") if embedder else None
    return Results(load_scores(folder, chosen))


def _frame(columns: Columns) -> "DataFrame":
    try:
        from pandas import DataFrame
    except ImportError:
        raise AssayError(
            "data frames need a package that is not installed", "pip install 'assay-bench[frames]'"
        ) from None
    return DataFrame(columns)
