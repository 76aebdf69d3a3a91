import numpy as np

from assay.errors import UsageError
from assay.tasks.files import as_files
from assay.tasks.grader import Grade, InvalidOutput
from assay.tasks.installed import Arrangement, Held, Installed
from assay.tasks.mlab.arrays import array_of, as_npy, from_npy
from assay.tasks.mlab.splits import FEWEST_ROWS, shuffled

TASK = "mlab/babylm"
CONTEXT = 512
STRIDE = 2 * CONTEXT
"""Pieces do not touch: no byte that is asked for stands in another piece, nor does what follows it."""
ROWS = 10_000
FLOOR = 1e-12


def prepare(split, seed):
    return as_files({**Installed(TASK).inputs(split), "seed.txt": f"{seed}\n"})


def grade(outputs, split, seed):
    truth = from_npy(Installed(TASK).answers(split))
    told = array_of(outputs, "probabilities.npy", (len(truth), 256))
    total = told.sum(axis=1)
    if (told < 0).any() or (np.abs(total - 1) > 1e-3).any():
        raise InvalidOutput("each row of probabilities.npy must be non-negative and sum to 1")
    loss = -np.log(np.maximum(told[np.arange(len(truth)), truth] / total, FLOOR))
    perplexity = float(np.exp(loss.mean()))
    error = perplexity * float(loss.std(ddof=1) / np.sqrt(len(loss)))
    return Grade({"perplexity": perplexity, "bits_per_byte": float(loss.mean() / np.log(2))}, {"perplexity": error})


def arrange(originals):
    """The published training, development and test texts."""
    root = originals / "babylm_data"
    given = {f"train/{file.name}": file.read_bytes() for file in sorted((root / "babylm_10M").glob("*.train"))}
    val, test = _pieces(root / "babylm_dev", "*.dev"), _pieces(root / "babylm_test", "*.test")
    size = min(len(val), len(test), ROWS)
    if size < FEWEST_ROWS:
        raise UsageError(f"{root}: {size} pieces of text are too few", "is the file cut off? fetch it again")
    return Arrangement(given, _held(val[:size]), _held(test[:size]))


def _pieces(folder, pattern):
    pieces = []
    for file in sorted(folder.glob(pattern)):
        data = np.frombuffer(file.read_bytes(), np.uint8)
        pieces += [data[at : at + CONTEXT + 1] for at in range(0, len(data) - CONTEXT, STRIDE)]
    return shuffled(pieces)


def _held(pieces):
    table = np.stack(pieces)
    return Held({"contexts.npy": as_npy(table[:, :CONTEXT])}, as_npy(table[:, CONTEXT]))
