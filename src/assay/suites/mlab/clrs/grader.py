import runpy
from pathlib import Path

import numpy as np

from assay.tasks.files import as_files, as_npz, json_of
from assay.tasks.grader import InvalidOutput
from assay.tasks.mlab.predictions import mean

SIZES = (4, 7, 11, 13, 16)
GRAPHS = 100
LARGE, TESTED = 64, 8
EDGES = (0.3, 0.4, 0.5, 0.6)
SECRETS = {"val": 9_104_417, "test": 5_560_281}
# our own file, and never the candidate's copy of it
MODEL = runpy.run_path(str(Path(__file__).with_name("workspace") / "model.py"))


def prepare(split, seed):
    rng = np.random.default_rng([seed, 30])
    files = {}
    for size in SIZES:
        graphs = [_graph(rng, size) for _ in range(GRAPHS)]
        before = np.stack([_predecessors(graph) for graph in graphs])
        files[f"train_{size}.npz"] = as_npz(adjacency=np.stack(graphs), predecessors=before)
    return as_files({**files, "seed.txt": f"{seed}\n"})


def grade(outputs, split, seed):
    try:
        model = MODEL["checked"](json_of(outputs, "model.json"))
    except ValueError as error:
        raise InvalidOutput(f"model.json: {error}") from None
    rng = np.random.default_rng([SECRETS[split], seed])
    apart = ~np.eye(LARGE, dtype=bool)
    right = []
    for _ in range(TESTED):
        graph = _graph(rng, LARGE)
        with np.errstate(all="ignore"):
            told = MODEL["predict"](model, graph)
        right.append((told == _predecessors(graph))[apart].mean())
    return mean("pointer_accuracy", np.array(right))


def _graph(rng, size):
    """An undirected connected graph with lengths from 0 to 1."""
    while True:
        edges = np.triu(rng.random((size, size)) < rng.choice(EDGES), 1)
        lengths = np.triu(rng.uniform(0.01, 1.0, (size, size)), 1) * edges
        graph = lengths + lengths.T
        if np.isfinite(_distances(graph)).all():
            return graph


def _distances(graph):
    distance = np.where(graph > 0, graph, np.inf)
    np.fill_diagonal(distance, 0.0)
    for k in range(len(graph)):
        distance = np.minimum(distance, distance[:, k, None] + distance[None, k])
    return distance


def _predecessors(graph):
    """For each pair the neighbour of j over which the shortest path from i comes."""
    edge = np.where(graph > 0, graph, np.inf)
    over = _distances(graph)[:, :, None] + edge[None]  # i, k, j
    before = over.argmin(axis=1)
    np.fill_diagonal(before, np.arange(len(graph)))
    return before
