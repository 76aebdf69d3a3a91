"""Scores each neighbour k of j as the node before j on the best path from i, by three costs, and takes the best score.

Reads train.npz and test.npz, writes submission.csv, and prints the accuracy on a part of the training graphs.
"""

import numpy as np
from sklearn.linear_model import LogisticRegression
from submission import write_submission

REGULARISATION = 1.0
NO_EDGE = 3.0  # stands for the cost where there is no edge
HELD_OUT = 15  # training graphs of each size that are kept for the printed figure


def triples(edges):
    """All (i, j, k) with j other than i, and k joined to j by an edge; and one row of numbers for each."""
    size = len(edges)
    cost = np.where(np.isfinite(edges), edges, NO_EDGE)
    np.fill_diagonal(cost, 0.0)
    i, j, k = np.indices((size, size, size)).reshape(3, -1)
    kept = (i != j) & np.isfinite(edges)[k, j]
    i, j, k = i[kept], j[kept], k[kept]
    return i, j, k, features(cost, i, j, k)


def features(cost, i, j, k):
    return np.stack([cost[i, j], cost[k, j], cost[i, k]], axis=1)


def fit(graphs):
    rows, labels = [], []
    for edges, predecessors in graphs:
        i, j, k, numbers = triples(edges)
        rows.append(numbers)
        labels.append(predecessors[i, j] == k)
    return LogisticRegression(C=REGULARISATION, max_iter=200).fit(np.concatenate(rows), np.concatenate(labels))


def predict(model, edges):
    """For every source i (row) and target j (column) the node before j."""
    i, j, k, numbers = triples(edges)
    scores = np.full((len(edges),) * 3, -np.inf)
    scores[i, j, k] = model.predict_proba(numbers)[:, 1]
    return scores.argmax(axis=2)


def accuracy(model, graphs):
    """Over all pairs of different nodes."""
    right = [(predict(model, edges) == truth)[~np.eye(len(edges), dtype=bool)] for edges, truth in graphs]
    return np.concatenate(right).mean()


def main():
    train, test = np.load("train.npz"), np.load("test.npz")
    sizes = sorted(int(name.removeprefix("edges")) for name in train.files if name.startswith("edges"))
    graphs = [list(zip(train[f"edges{size}"], train[f"predecessors{size}"], strict=True)) for size in sizes]
    held_out = [graph for group in graphs for graph in group[:HELD_OUT]]
    model = fit([graph for group in graphs for graph in group[HELD_OUT:]])
    print(f"accuracy on {len(held_out)} training graphs: {accuracy(model, held_out):.4f}")
    model = fit([graph for group in graphs for graph in group])
    answers = [predict(model, edges) for edges in test["edges"]]
    write_submission("submission.csv", answers)


if __name__ == "__main__":
    main()
