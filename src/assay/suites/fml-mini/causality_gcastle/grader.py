"""Trusted side: random nonlinear causal models. The graphs stay here; the sandbox sees only standardised rows."""

import numpy as np

from assay.tasks.grader import Grade, InvalidOutput

SECRET = {"val": 402971, "test": 860533}
GRAPHS = 6
NODES, EDGES, ROWS = 12, 20, 400
HIDDEN = 8


def prepare(split, seed):
    return {"X": np.stack([_rows(split, seed, number) for number in range(GRAPHS)]), "seed": seed}


def grade(outputs, split, seed):
    graphs = _checked(outputs.get("graphs"))
    distances, precisions, recalls = [], [], []
    for number in range(GRAPHS):
        truth, found = _graph(split, number), graphs[number]
        pairs = np.triu(np.ones((NODES, NODES), bool), 1)
        # an edge turned round differs in both directions of one pair and counts once
        distances.append((((truth != found) | (truth.T != found.T)) & pairs).sum())
        hits = (truth & found).sum()
        precisions.append(hits / max(1, found.sum()))
        recalls.append(hits / EDGES)
    precision, recall = float(np.mean(precisions)), float(np.mean(recalls))
    metrics = {"shd_mean": float(np.mean(distances)), "fdr_mean": 1 - precision, "tpr_mean": recall}
    return Grade(metrics, {"shd_mean": float(np.std(distances, ddof=1) / np.sqrt(GRAPHS))})


def _checked(graphs):
    shape = (GRAPHS, NODES, NODES)
    if not isinstance(graphs, np.ndarray) or graphs.shape != shape:
        raise InvalidOutput(f"discover must return a {NODES} x {NODES} matrix")
    if not np.isin(graphs, (0, 1)).all():
        raise InvalidOutput("discover must return a matrix of zeros and ones")
    graphs = graphs.astype(bool)
    for graph in graphs:
        if not _acyclic(graph):
            raise InvalidOutput("discover returned a graph with a cycle: a causal graph has none")
    return graphs


def _acyclic(graph):
    """Whether nodes without parents can be taken away until none is left."""
    left = np.ones(NODES, bool)
    while left.any():
        roots = left & ~graph[left].any(axis=0)
        if not roots.any():
            return False
        left &= ~roots
    return True


def _graph(split, number):
    """A random order of the nodes and exactly EDGES of its ordered pairs."""
    rng = np.random.default_rng([SECRET[split], number])
    order = rng.permutation(NODES)
    first, second = np.triu_indices(NODES, 1)
    chosen = rng.choice(len(first), EDGES, replace=False)
    graph = np.zeros((NODES, NODES), bool)
    graph[order[first[chosen]], order[second[chosen]]] = True
    return graph


def _rows(split, seed, number):
    """Rows of one model. Graph and mechanisms are fixed by the secret, the sample is drawn by the seed."""
    graph = _graph(split, number)
    mechanism = np.random.default_rng([SECRET[split], number, 1])
    chance = np.random.default_rng([SECRET[split], number, 2, seed])
    X = np.zeros((ROWS, NODES))
    left = np.ones(NODES, bool)
    while left.any():
        node = int(np.flatnonzero(left & ~graph[left].any(axis=0))[0])
        left[node] = False
        parents = np.flatnonzero(graph[:, node])
        if len(parents) == 0:
            X[:, node] = chance.normal(size=ROWS)
            continue
        inner = mechanism.normal(size=(len(parents), HIDDEN)) * 1.5
        bias = mechanism.normal(size=HIDDEN) * 0.8
        outer = mechanism.normal(size=HIDDEN)
        signal = np.tanh(X[:, parents] @ inner + bias) @ outer
        X[:, node] = signal / signal.std() + 0.5 * chance.normal(size=ROWS)
    # without this, sorting the columns by variance would give the order away
    return (X - X.mean(axis=0)) / X.std(axis=0)
