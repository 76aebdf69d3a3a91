import gzip

import numpy as np

from assay.errors import UsageError
from assay.tasks.installed import Arrangement
from assay.tasks.mlab.arrays import as_npy
from assay.tasks.mlab.predictions import Predictions, accuracy
from assay.tasks.mlab.splits import shuffled

PAPERS = Predictions("mlab/ogbn-arxiv", ("label",), accuracy("label", tuple(map(str, range(40)))))
prepare, grade = PAPERS.prepare, PAPERS.grade


def arrange(originals):
    """The published split by year: its validation papers are val; as many of its test papers are test."""
    raw, split = originals / "arxiv" / "raw", originals / "arxiv" / "split" / "time"
    features = _read(raw / "node-feat.csv.gz", np.float32)
    labels = _read(raw / "node-label.csv.gz", np.int64).ravel()
    edges = _read(raw / "edge.csv.gz", np.int32)
    train, val, test = (_read(split / f"{name}.csv.gz", np.int64).ravel() for name in ("train", "valid", "test"))
    if len(labels) != len(features) or edges.shape[1] != 2 or max(map(np.max, (train, val, test, edges))) >= len(labels):
        raise UsageError(f"{originals}: tables of the graph do not fit together", "fetch it again")
    size = min(len(val), len(test))

    def held(papers):
        chosen = np.array(shuffled(papers.tolist())[:size])
        rows = [{"id": str(paper), "label": str(labels[paper])} for paper in chosen]
        return PAPERS.held({"test_ids.npy": as_npy(chosen)}, rows)

    given = {"features": features, "edges": edges, "train_ids": train, "train_labels": labels[train]}
    return Arrangement({f"{name}.npy": as_npy(array) for name, array in given.items()}, held(val), held(test))


def _read(file, kind):
    try:
        with gzip.open(file, "rt") as lines:
            return np.loadtxt(lines, delimiter=",", dtype=kind, ndmin=2)
    except (ValueError, OSError, EOFError) as error:
        raise UsageError(f"{file} is not a table of numbers: {error}", "fetch it again") from None
