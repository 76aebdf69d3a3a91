"""Trusted side of semiring-paths: best paths under a secret rule, on graphs larger than those of training."""

from functools import lru_cache

import numpy as np

from assay.tasks.files import as_files, as_npz, table_of
from assay.tasks.grader import Grade, InvalidOutput

TRAIN_SECRET = 90_417_283
SECRET = {"val": 26_735_819, "test": 54_081_367}
SECRET_EXPONENT = 1.7
"""Two stretches of costs a and b cost (a^p + b^p)^(1/p) together."""

TRAIN_SIZES, TRAIN_GRAPHS = (6, 8, 10), 50
SIZE, GRAPHS = 20, 40
DENSITIES = (0.3, 0.4, 0.5, 0.6)


def prepare(split, seed):
    rng = np.random.default_rng([TRAIN_SECRET, seed])
    train = {}
    for size in TRAIN_SIZES:
        graphs = [_graph(size, rng) for _ in range(TRAIN_GRAPHS)]
        names = ("edges", "distances", "predecessors")
        train |= {
            f"{name}{size}": np.stack(arrays) for name, arrays in zip(names, zip(*graphs, strict=True), strict=True)
        }
    edges, _ = _evaluation(split)
    return as_files({"train.npz": as_npz(**train), "test.npz": as_npz(edges=edges)})


def grade(outputs, split, seed):
    table = table_of(outputs, "submission.csv", _IDS, ["predecessors"])
    rows = [_numbers(text, name) for text, name in zip(table["predecessors"], _IDS, strict=True)]
    answer = np.array(rows).reshape(GRAPHS, SIZE, SIZE)
    edges, truth = _evaluation(split)
    asked = ~np.eye(SIZE, dtype=bool)
    right = (answer == truth)[:, asked]
    indirect = np.isinf(edges)[:, asked]
    return Grade(
        {"pointer_acc": float(right.mean()), "pointer_acc_no_edge": float(right[indirect].mean())},
        {"pointer_acc": float(right.mean(axis=1).std(ddof=1) / np.sqrt(GRAPHS))},
    )


_IDS = [f"g{graph:02d}-{source:02d}" for graph in range(GRAPHS) for source in range(SIZE)]


def _numbers(text, name):
    """The predecessors of one row. Raises InvalidOutput that names the graph and the source."""
    words = text.split()
    if len(words) != SIZE or not all(word.isascii() and word.isdecimal() and len(word) <= 2 for word in words):
        raise InvalidOutput(f"submission.csv, id {name}: expected {SIZE} node numbers with spaces between them")
    if any(int(word) >= SIZE for word in words):
        raise InvalidOutput(f"submission.csv, id {name}: nodes are 0 … {SIZE - 1}")
    return [int(word) for word in words]


@lru_cache(maxsize=2)
def _evaluation(split):
    """The graphs, and the predecessors, which stay here."""
    rng = np.random.default_rng(SECRET[split])
    edges, _, predecessors = zip(*(_graph(SIZE, rng) for _ in range(GRAPHS)), strict=True)
    return np.stack(edges), np.stack(predecessors)


def _graph(size, rng):
    """A connected graph: costs of its edges (infinite where there is none), best costs, and predecessors."""
    while True:
        upper = np.triu(rng.random((size, size)) < rng.choice(DENSITIES), 1)
        costs = np.where(upper, rng.uniform(0.05, 1.0, (size, size)), np.inf)
        edges = np.minimum(costs, costs.T)
        distances, predecessors = _best_paths(edges)
        if np.isfinite(distances).all():
            return edges, distances, predecessors


def _best_paths(edges):
    """For every pair the cost of the best path, and the node before the last on it; a node is its own predecessor."""
    nodes = np.arange(len(edges))
    distances = np.where(np.eye(len(edges), dtype=bool), 0.0, edges)
    predecessors = np.tile(nodes[:, None], (1, len(edges)))
    for middle in nodes:
        through = distances[:, [middle]] ** SECRET_EXPONENT + distances[[middle], :] ** SECRET_EXPONENT
        through **= 1 / SECRET_EXPONENT
        # the middle node itself is an end of no better path, whatever rounding says
        shorter = (through < distances) & (nodes != middle) & (nodes[:, None] != middle)
        distances = np.where(shorter, through, distances)
        predecessors = np.where(shorter, predecessors[[middle], :], predecessors)
    return distances, predecessors
